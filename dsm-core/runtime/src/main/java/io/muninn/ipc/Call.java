package io.muninn.ipc;

/**
 * The first byte of a frame from an application thread to its agent. All numbers little-endian; a
 * text is u32 length and UTF-8; a wait's last field is its time limit in nanoseconds, i64, negative
 * for none.
 */
public final class Call {
    /** First on every connection: token 32 bytes, thread u32. Answered. */
    public static final int HELLO = 1;

    /** Layout text. Answered by {@link Answer#JOINED}. */
    public static final int JOIN = 2;

    /** Memory is attached; waits for all nodes. Answered. */
    public static final int READY = 3;

    /** Lock text. Answered with the slot of its word. */
    public static final int OPEN_LOCK = 4;

    /** Lock text, limit. Answered. */
    public static final int ACQUIRE = 5;

    /** Lock text: ends the acquire in progress. Has no answer of its own. */
    public static final int CANCEL = 6;

    /** Lock text. Not answered. */
    public static final int RELEASE = 7;

    /** Nothing. Not answered. */
    public static final int RELEASE_NOTICE = 8;

    /**
     * Barrier text, parties u32, limit, then a contribution to a reduction to the end, or nothing.
     * Answered; by {@link Answer#DELIVERED} if there is a contribution.
     */
    public static final int BARRIER = 9;

    /** Node u32, tag u32, bytes to the end. Answered. */
    public static final int SEND = 10;

    /** Node i32, tag u32, limit. Answered by {@link Answer#DELIVERED}. */
    public static final int RECEIVE = 11;

    /** Index u32, region text: appends a region. Answered. */
    public static final int ADD_REGION = 12;

    /** Nothing. Answered when the access is withdrawn. */
    public static final int SEALED = 13;

    /** Checked u8, right u8, detail text, seconds f64, program text, version text. Answered. */
    public static final int CLOSE = 14;

    /** Text of the program's exception. Answered. */
    public static final int FAILED = 15;

    /** Object text, node u32, fingerprint i64, interface and node text. Answered. */
    public static final int DECLARE = 16;

    /**
     * Object text, node u32, fingerprint i64, request bytes to the end. Answered by {@link
     * Answer#DELIVERED}.
     */
    public static final int SHIP = 17;

    /**
     * Number i64, then as {@link #SHIP}. Answered when the call is accepted; {@link #COMPLETIONS}
     * receives the reply.
     */
    public static final int POST = 18;

    /** Nothing: waits for the next reply to a posted call. Answered by {@link Answer#COMPLETED}. */
    public static final int COMPLETIONS = 19;

    /**
     * Object text, u8 1 if a call has been served, then the reply bytes to the end: waits for the
     * next call. Answered by {@link Answer#DELIVERED}.
     */
    public static final int SERVE = 20;

    /** Lock text, condition text. Answered when the lock may be released. */
    public static final int WAIT = 23;

    /** Lock text, condition text, limit. Answered. */
    public static final int AWAIT_SIGNAL = 24;

    /** Nothing: ends the wait for a signal. Has no answer of its own. */
    public static final int CANCEL_SIGNAL = 25;

    /** Lock text, condition text, all u8. Answered when all threads that it selected are woken. */
    public static final int SIGNAL = 26;

    /**
     * Mailbox u32: the thread's mailbox from now on. Sent on its socket; everything that follows
     * may be sent through the mailbox. Not answered.
     */
    public static final int MAILBOX = 27;

    /**
     * Region u32, first page u32, pages u32, u8 1 if the program will store: a prefetch. Not
     * answered.
     */
    public static final int PREFETCH = 28;

    /** Nothing. Answered when all stores of the threads of all other nodes so far are visible. */
    public static final int REFRESH = 29;

    /** Region u32, page u32. Answered with the home of the page, as the node knows it. */
    public static final int HOME = 30;

    /**
     * Nothing: the thread has entered a call for which the agent requested a notification. Not
     * answered.
     */
    public static final int GONE_ON = 31;

    /**
     * Barrier text, parties u32: waits until all other parties have arrived there. Answered by
     * {@link Answer#DELIVERED} if they have contributed.
     */
    public static final int GATHER = 32;

    /**
     * Region u32, first page u32, pages u32, advice u8, node u32, lock text: advice about the use
     * of pages. Not answered. Advice: 0 automatic, 1 flush, 2 invalidate, 3 no readers; about the
     * node: 4 reads, 5 does not; about the lock: 6 guards them.
     */
    public static final int ADVISE = 33;

    /**
     * Lock text, process i32 that held it last, -1 if the agent has lent it since: the thread has
     * taken the lock, and its process has seen less than that one. Answered.
     */
    public static final int LOCAL_ACQUIRE = 34;

    /** Reader-writer lock text. Answered with the slot of its word. */
    public static final int OPEN_READ_WRITE_LOCK = 35;

    /** Reader-writer lock text, u8 1 to write, limit. Answered. */
    public static final int PERMISSION = 36;

    /** Reader-writer lock text: ends the request in progress. Has no answer of its own. */
    public static final int CANCEL_PERMISSION = 37;

    /**
     * Reader-writer lock text: the thread has entered as a reader, and its process has seen less
     * than the mark of the word. Answered.
     */
    public static final int LOCAL_READ = 38;

    /** Reader-writer lock text, u8 1 if the writer goes on as a reader. Not answered. */
    public static final int RELEASE_WRITE = 39;

    /** Reader-writer lock text: the last reader has left a closed word. Not answered. */
    public static final int READERS_LEFT = 40;

    /** Node u32, remote operations to the end. Answered by {@link Answer#DELIVERED}. */
    public static final int REMOTE = 41;

    /**
     * Number i64, -1 for no answer, then as {@link #REMOTE}. Answered when the operations are
     * accepted; {@link #COMPLETIONS} receives the answer of others.
     */
    public static final int REMOTE_POST = 42;

    /** Nothing. Answered when all accepted remote operations of the node are performed. */
    public static final int REMOTE_FENCE = 43;

    /**
     * Node u32, kind u8, offset i64, comparison u8, value i64, limit: waits for a condition of a
     * remote word. Answered.
     */
    public static final int REMOTE_WAIT = 44;

    /**
     * Text: the places where the threads of this process stand, a line for each: number in the
     * node, or -1 for a thread that the node does not know; a space; the place, or the name of such
     * a thread. Empty before the first question. Answered when the agent asks next.
     */
    public static final int PLACES = 45;

    /**
     * What the process has loaded since the last such call, to the end; for each page: region u32,
     * index u32, certain u8, count u32, and that many words i64 of bits, one for each granule.
     * Answered when the agent has noted it.
     */
    public static final int LOADED = 46;

    /**
     * Text: a line of the program that has stored to pages since the last such call; to the end,
     * for each page: region u32, index u32, and how often that was seen, u32. Answered.
     */
    public static final int STORED = 47;

    private Call() {}
}
