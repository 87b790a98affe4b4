package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.OptionalInt;

/**
 * The agent's end of its application's mailboxes, which carry short calls of threads and their
 * answers in shared memory. Posting a call makes {@link TrappedProcess#faultFd} readable.
 *
 * <p><b>Order.</b> {@link #readPosted}; for each call, {@link #take(int, byte[])} once all frames
 * that its thread had sent {@linkplain #framesBefore before} it are handled; later {@link #answer},
 * or an answer on the thread's socket and {@link #answerOnSocket}. A thread has at most one posted
 * call at a time.
 *
 * <p><b>Errors.</b> A value that no thread writes, such as an invalid index, causes {@link
 * BrokenMemoryException}: the application has stored to memory that it does not own.
 *
 * <p><b>Threads.</b> The agent thread only, except for {@link #take(MemorySegment)}. No call waits
 * for an application thread.
 */
public final class Mailboxes {
    /** Number of mailboxes. */
    public static final int COUNT = FaultLibrary.MAILBOXES;

    /** Longest call, and longest answer. */
    public static final int FRAME_BYTES_MAX = FaultLibrary.MAILBOX_FRAME_MAX;

    /** Size of their memory in bytes; it is aligned to 64. */
    public static final int BYTES = FaultLibrary.MAIL_BYTES;

    private static final int NONE = 0; // state of a call, and of an answer
    private static final int POSTED = 1;
    private static final int AWAITED = 1;
    private static final int HERE = 2;
    private static final int ON_SOCKET = 3;

    private static final long TAKEN = FaultLibrary.MAILBOXES_TAKEN;
    private static final VarHandle INTS = JAVA_INT.varHandle();

    private final MemorySegment memory;
    private final int[] posted = new int[COUNT];

    /**
     * @param memory {@link #BYTES} bytes, aligned to 64, initially zero
     */
    public Mailboxes(MemorySegment memory) {
        this.memory = memory.asSlice(0, BYTES);
    }

    /**
     * Allocates a mailbox to a thread of the application, permanently. Any thread may call this.
     *
     * @return empty when all are allocated
     */
    public static OptionalInt take(MemorySegment memory) {
        int taken = (int) INTS.getVolatile(memory, TAKEN);
        while (taken < COUNT) {
            if (INTS.compareAndSet(memory, TAKEN, taken, taken + 1)) {
                return OptionalInt.of(taken);
            }
            taken = (int) INTS.getVolatile(memory, TAKEN);
        }
        return OptionalInt.empty();
    }

    /**
     * Collects the mailboxes with a call posted since the last call of this method.
     *
     * @return their number; {@link #posted} returns each of them until the next call
     */
    public int readPosted() {
        if ((int) INTS.getVolatile(memory, 0L) == 0) {
            return 0;
        }
        int count = 0;
        int chain = (int) INTS.getAndSet(memory, 0L, 0); // the newest
        while (chain != 0) {
            if (chain < 0 || chain > COUNT || count == COUNT) {
                throw new BrokenMemoryException(
                        "the application has posted mailbox " + (chain - 1L) + ", of " + COUNT);
            }
            posted[count++] = chain - 1;
            chain = (int) INTS.getVolatile(memory, at(chain - 1) + FaultLibrary.MAILBOX_NEXT);
        }
        for (int left = 0, right = count - 1; left < right; left++, right--) {
            int newer = posted[left];
            posted[left] = posted[right];
            posted[right] = newer;
        }
        return count;
    }

    /** The mailbox of the index-th collected call, 0-based, oldest first. */
    public int posted(int index) {
        return posted[index];
    }

    /** The number of frames that the thread had sent on its socket when it posted; wraps around. */
    public int framesBefore(int mailbox) {
        return memory.get(JAVA_INT, at(mailbox) + FaultLibrary.MAILBOX_AFTER);
    }

    /**
     * Copies a posted call; the thread may then post another.
     *
     * @param frame of {@link #FRAME_BYTES_MAX} bytes
     * @return the call's length
     */
    public int take(int mailbox, byte[] frame) {
        long at = at(mailbox);
        int state = (int) INTS.getAcquire(memory, at);
        int length = memory.get(JAVA_INT, at + FaultLibrary.MAILBOX_CALL_LENGTH);
        if (state != POSTED || length < 1 || length > FRAME_BYTES_MAX) {
            throw new BrokenMemoryException(
                    "the application's mailbox "
                            + mailbox
                            + " has a call in state "
                            + state
                            + " and of "
                            + length
                            + " bytes");
        }
        MemorySegment.copy(memory, JAVA_BYTE, at + FaultLibrary.MAILBOX_CALL, frame, 0, length);
        INTS.setRelease(memory, at, NONE);
        return length;
    }

    /**
     * Posts the answer to the thread.
     *
     * @param length up to {@link #FRAME_BYTES_MAX}
     */
    public void answer(int mailbox, byte[] frame, int length) {
        long at = at(mailbox);
        MemorySegment.copy(frame, 0, memory, JAVA_BYTE, at + FaultLibrary.MAILBOX_ANSWER, length);
        memory.set(JAVA_INT, at + FaultLibrary.MAILBOX_ANSWER_LENGTH, length);
        tell(mailbox, HERE);
    }

    /** Records that the answer has been sent as a frame on the thread's socket. */
    public void answerOnSocket(int mailbox) {
        tell(mailbox, ON_SOCKET);
    }

    private void tell(int mailbox, int state) {
        long at = at(mailbox) + FaultLibrary.MAILBOX_ANSWER_STATE;
        int before = (int) INTS.getAndSet(memory, at, state);
        if (before == AWAITED) {
            FaultLibrary.dsm_mail_wake(memory.address() + at);
        } else if (before != NONE) {
            throw new IllegalStateException(
                    "mailbox " + mailbox + " has an answer already, in state " + before);
        }
    }

    private static long at(int mailbox) {
        return FaultLibrary.MAILBOXES_AT + (long) mailbox * FaultLibrary.MAILBOX_BYTES;
    }
}
