package io.muninn.ipc;

import static io.muninn.nativefault.NativeMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.muninn.api.DsmNode;
import io.muninn.model.MappingId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.nativefault.Mailboxes;
import io.muninn.nativefault.NativeMemory;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ViewMark;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * The memory that agent and application share in addition to the regions; it never faults.
 *
 * <pre>
 *  offset   what                       who writes
 *       0   counters, i64 each         agent
 *    1024   release watch, i32         agent and traps 0 → 1, releasing threads 1 → 0
 *    1152   views, i64 each            agent, see below
 *    4096   lock words, i32 each 64    by compare-and-set, see below
 *  528384   mailboxes                  threads and agent, see {@link Mailboxes}
 * 8917056   threads, 64 each           see below
 * </pre>
 *
 * A lock word is {@link #ABSENT} while another node or the agent has the token. The agent lends the
 * token as {@link #FREE} or {@link #HELD}; threads change FREE to HELD and back. {@link #WANTED} is
 * HELD with a waiter: the holder sets ABSENT and calls the agent.
 *
 * <p>The word of a reader-writer lock has a slot among these, too: the number of readers inside in
 * the lower 24 bits, and {@link #OPEN} if more may enter. The agent sets and clears OPEN, and adds
 * readers that it admits; threads add and subtract themselves. A writer that goes on as a reader
 * adds itself to the word, which is closed and without readers.
 *
 * <p>On a node with several processes, 8 bytes after a lock word stands the {@link ViewMark} of its
 * last holder, written before the word becomes free or open: process + 1 in the upper 16 bits, 0
 * for that of all; and the number. A view's entry is the largest number of another view that it
 * covers: by reader, then by process and of all.
 *
 * <p>A thread's 64 bytes: slot + 1 of the most recently acquired lock that it holds, i32, and the
 * number of calls that it has entered, i32, both written as one word by the thread; whether the
 * agent requests a notification of its next call, i32, agent 0 → 1, thread 1 → 0; its id, i32,
 * written by the thread; the number of operations on remote words that it has performed itself,
 * i64, also; its number in the node + 1, i32; and, from byte 32, the locks that it holds, in the
 * order of taking, u16 each, 0 after the last: 4 times the slot plus the mode, plus 1.
 */
public final class ControlMemory {
    public static final int ABSENT = 0;
    public static final int FREE = 1;
    public static final int HELD = 2;
    public static final int WANTED = 3;

    /** Readers may enter. */
    public static final int OPEN = 1 << 24;

    private static final int READERS = OPEN - 1;

    /** Largest number of locks that one node's application may open. */
    public static final int LOCKS_MAX = DsmNode.LOCKS_MAX;

    /**
     * Offset of the word that {@link #watchReleases} sets; a trap that permits a store also sets
     * it.
     */
    public static final long WATCH_OFFSET = 1024;

    private static final long VIEWS_OFFSET = 1152;
    private static final int VIEWS = MappingId.PROCESSES_MAX + 1; // of the processes, and of all

    private static final long LOCKS_OFFSET = 4096;
    private static final long LOCK_MARK = 8;
    private static final int MARK_NUMBER_BITS = 48;
    private static final long LOCK_STRIDE = 64; // one cache line per word

    private static final long MAILBOXES_OFFSET = LOCKS_OFFSET + LOCKS_MAX * LOCK_STRIDE;

    private static final int THREADS_MAX = 256;
    private static final long THREADS_OFFSET = MAILBOXES_OFFSET + Mailboxes.BYTES;
    private static final long THREAD_STRIDE = 64;
    private static final long THREAD_WATCHED = 8;
    private static final long THREAD_ID = 12;
    private static final long THREAD_ACCESSES = 16;
    private static final long THREAD_NUMBER = 24;
    private static final long THREAD_HOLDS = 32;
    private static final int MODE_BITS = 2;

    /** Largest number of locks held by one thread that its agent knows of. */
    public static final int HOLDS_MAX = (int) (THREAD_STRIDE - THREAD_HOLDS) / Short.BYTES;

    private static final long PAGE_BYTES_MAX = 64 << 10; // largest page of any machine

    /** Size of the memory in bytes: whole pages. */
    public static final long BYTES =
            Math.ceilDiv(THREADS_OFFSET + THREADS_MAX * THREAD_STRIDE, PAGE_BYTES_MAX)
                    * PAGE_BYTES_MAX;

    private static final int NO_THREAD = -1;

    private static final VarHandle LONGS = JAVA_LONG.varHandle();
    private static final VarHandle INTS = JAVA_INT.varHandle();
    private static final VarHandle SHORTS = JAVA_SHORT.varHandle();

    private final MemorySegment memory;
    private final long address;

    /**
     * @param memory native, at least {@link #BYTES}, mapped for as long as this object is used
     */
    public ControlMemory(MemorySegment memory) {
        if (!memory.isNative() || memory.byteSize() < BYTES) {
            throw new IllegalArgumentException("no control memory: " + memory);
        }
        this.memory = memory;
        this.address = memory.address();
    }

    /**
     * The offset in {@link NativeMemory#ALL} of a word of this memory. As this segment is a
     * constant, the compiler removes the checks of an access, except its alignment; the bounds are
     * compared here. A lock that is taken again has a dozen accesses, and little else.
     *
     * @param offset of at most 8 bytes in this memory
     */
    private long at(long offset) {
        return address + Objects.checkIndex(offset, BYTES - Long.BYTES + 1);
    }

    /** The memory of the {@link Mailboxes}. */
    public MemorySegment mailboxes() {
        return memory.asSlice(MAILBOXES_OFFSET, Mailboxes.BYTES);
    }

    /** A counter's current value; opaque, pairs with {@link #add} in the agent. */
    public long counter(NodeCounter counter) {
        return (long) LONGS.getOpaque(ALL, at(counter.code() * 8L));
    }

    /** Adds to a counter. Only the agent's thread calls it. */
    public void add(NodeCounter counter, long amount) {
        LONGS.setOpaque(ALL, at(counter.code() * 8L), counter(counter) + amount);
    }

    /** Sets a counter whose value is kept elsewhere. Only the agent's thread calls it. */
    public void set(NodeCounter counter, long value) {
        LONGS.setOpaque(ALL, at(counter.code() * 8L), value);
    }

    /**
     * Requests notification of the next release. Full fence, pairs with that of {@link
     * #changeLock}: a page compared afterwards has the stores of every release that does not
     * notify.
     */
    public void watchReleases() {
        INTS.setVolatile(ALL, at(WATCH_OFFSET), 1);
        VarHandle.fullFence();
    }

    /** True for exactly one releasing thread since {@link #watchReleases}. */
    public boolean takeWatch() {
        return (int) INTS.getVolatile(ALL, at(WATCH_OFFSET)) == 1
                && INTS.compareAndSet(ALL, at(WATCH_OFFSET), 1, 0);
    }

    /** Changes a lock word; full fence, so that a lock's stores and loads stay inside it. */
    public boolean changeLock(int slot, int from, int to) {
        return INTS.compareAndSet(ALL, at(offset(slot)), from, to);
    }

    /**
     * Sets a lock word. Release; pairs with the compare-and-set of the next thread that takes the
     * lock.
     */
    public void setLock(int slot, int to) {
        INTS.setVolatile(ALL, at(offset(slot)), to);
    }

    /**
     * Lets the calling thread read, if the word of a reader-writer lock is open; full fence, as
     * {@link #changeLock}.
     */
    public boolean enterRead(int slot) {
        while (true) {
            int word = (int) INTS.getVolatile(ALL, at(offset(slot)));
            if ((word & OPEN) == 0 || (word & READERS) == READERS) {
                return false;
            }
            if (INTS.compareAndSet(ALL, at(offset(slot)), word, word + 1)) {
                return true;
            }
        }
    }

    /**
     * Ends reading by the calling thread. Full fence: its loads are done when the agent or a writer
     * sees the count.
     *
     * @return true if it was the last reader in a closed word
     */
    public boolean leaveRead(int slot) {
        return (int) INTS.getAndAdd(ALL, at(offset(slot)), -1) == 1;
    }

    /** Makes the calling thread, which writes, a reader too. */
    public void alsoRead(int slot) {
        INTS.getAndAdd(ALL, at(offset(slot)), 1);
    }

    /** Adds readers to a word, and opens it or leaves it as it is. */
    public void admitReaders(int slot, int count, boolean isOpen) {
        INTS.getAndAdd(ALL, at(offset(slot)), count);
        if (isOpen) {
            INTS.getAndBitwiseOr(ALL, at(offset(slot)), OPEN);
        }
    }

    /** Closes a word; returns the number of readers inside. */
    public int closeReaders(int slot) {
        return (int) INTS.getAndBitwiseAnd(ALL, at(offset(slot)), READERS) & READERS;
    }

    /**
     * The view of the process that held a lock last. Of use to the thread that has taken it.
     *
     * @throws BrokenMemoryException if no process wrote this mark
     */
    public ViewMark lockMark(int slot) {
        long mark = (long) LONGS.getOpaque(ALL, at(offset(slot) + LOCK_MARK));
        long number = mark & (1L << MARK_NUMBER_BITS) - 1;
        int of = (int) (mark >>> MARK_NUMBER_BITS);
        if (of > MappingId.PROCESSES_MAX) {
            throw new BrokenMemoryException("the mark of a lock names process " + (of - 1));
        }
        return new ViewMark(of == 0 ? MappingId.ALL : MappingId.of(of - 1), number);
    }

    /** Marks a lock before its word becomes free. */
    public void lockMark(int slot, ViewMark mark) {
        long bits = (mark.of().index() + 1L) << MARK_NUMBER_BITS | mark.number();
        LONGS.setOpaque(ALL, at(offset(slot) + LOCK_MARK), bits);
    }

    /** The view of a process at this time. */
    public ViewMark view(MappingId process) {
        return new ViewMark(process, covered(process, process));
    }

    /** True if the view of a process covers another one. */
    public boolean covers(MappingId reader, ViewMark mark) {
        return covered(reader, mark.of()) >= mark.number();
    }

    private long covered(MappingId reader, MappingId of) {
        return (long) LONGS.getOpaque(ALL, at(view(reader, of)));
    }

    /** Records that. Only the agent's thread calls it. */
    public void setCovered(MappingId reader, ViewMark mark) {
        LONGS.setRelease(ALL, at(view(reader, mark.of())), mark.number());
    }

    private static long view(MappingId reader, MappingId of) {
        int place = of.equals(MappingId.ALL) ? MappingId.PROCESSES_MAX : of.index();
        return VIEWS_OFFSET + ((long) reader.index() * VIEWS + place) * Long.BYTES;
    }

    /**
     * Adds a thread of the application permanently.
     *
     * @param id the id that faults report, not 0
     * @param inNode the thread's number in its node
     * @return the number of its record; empty if there are too many
     */
    public OptionalInt addThread(int id, int inNode) {
        for (int thread = 0; thread < THREADS_MAX; thread++) {
            if (INTS.compareAndSet(ALL, at(thread(thread) + THREAD_ID), 0, id)) {
                INTS.setOpaque(ALL, at(thread(thread) + THREAD_NUMBER), inNode + 1);
                return OptionalInt.of(thread);
            }
        }
        return OptionalInt.empty();
    }

    /** The thread with this id; -1 if there is none. */
    public int threadOf(int id) {
        for (int thread = 0; thread < THREADS_MAX; thread++) {
            int other = (int) INTS.getAcquire(ALL, at(thread(thread) + THREAD_ID));
            if (other == id || other == 0) {
                return other == 0 ? NO_THREAD : thread;
            }
        }
        return NO_THREAD;
    }

    /** Number of calls that a thread has entered. Acquire, pairs with {@link #enterCall}. */
    public int calls(int thread) {
        return (int) ((long) LONGS.getAcquire(ALL, at(thread(thread))) >>> Integer.SIZE);
    }

    /** The slot of the most recently acquired lock that a thread holds; empty if it holds none. */
    public OptionalInt section(int thread) {
        int slot = (int) (long) LONGS.getAcquire(ALL, at(thread(thread))) - 1;
        return slot < 0 ? OptionalInt.empty() : OptionalInt.of(slot);
    }

    /**
     * Records the number of calls that the calling thread has entered, and the most recently
     * acquired lock that it holds. Release: the thread has made all earlier accesses.
     *
     * @param slot of the lock; -1 if it holds none
     */
    public void enterCall(int thread, int calls, int slot) {
        LONGS.setRelease(ALL, at(thread(thread)), (long) calls << Integer.SIZE | slot + 1L);
    }

    /** A lock that a thread holds: the slot of its word, and how it is held. */
    public record Held(int slot, int mode) {}

    /**
     * Records a lock that the calling thread holds.
     *
     * @param place in the order of taking; nothing is recorded from {@link #HOLDS_MAX} on
     * @param mode 0 to 3, for the reader of {@link #holds}
     */
    public void setHold(int thread, int place, int slot, int mode) {
        setHold(thread, place, (slot << MODE_BITS | mode) + 1);
    }

    /** Records that the calling thread holds less than so many locks. */
    public void endHolds(int thread, int place) {
        setHold(thread, place, 0);
    }

    private void setHold(int thread, int place, int word) {
        if (place < HOLDS_MAX) {
            long at = at(thread(thread) + THREAD_HOLDS + place * (long) Short.BYTES);
            SHORTS.setOpaque(ALL, at, (short) word);
        }
    }

    /**
     * The locks that a thread holds, in the order of taking: the first {@link #HOLDS_MAX}. Exact
     * while the thread waits for the answer to a call.
     *
     * @param inNode its number in the node
     */
    public List<Held> holds(int inNode) {
        List<Held> found = new ArrayList<>();
        for (int thread = 0; thread < THREADS_MAX; thread++) {
            int number = (int) INTS.getOpaque(ALL, at(thread(thread) + THREAD_NUMBER)) - 1;
            for (int place = 0; place < HOLDS_MAX && number == inNode; place++) {
                long at = at(thread(thread) + THREAD_HOLDS + place * (long) Short.BYTES);
                int word = ((short) SHORTS.getOpaque(ALL, at) & 0xFFFF) - 1;
                if (word < 0) {
                    break;
                }
                found.add(new Held(word >>> MODE_BITS, word & (1 << MODE_BITS) - 1));
            }
        }
        return found;
    }

    /** Sets the number of operations on remote words that the calling thread has performed. */
    public void setAccesses(int thread, long count) {
        LONGS.setOpaque(ALL, at(thread(thread) + THREAD_ACCESSES), count);
    }

    /** The number of operations on remote words that all threads have performed themselves. */
    public long accesses() {
        long sum = 0;
        for (int thread = 0; thread < THREADS_MAX; thread++) {
            sum += (long) LONGS.getOpaque(ALL, at(thread(thread) + THREAD_ACCESSES));
        }
        return sum;
    }

    /**
     * Requests a notification of the next call of a thread, unless it enters one meanwhile. Full
     * fence.
     */
    public void watchThread(int thread) {
        INTS.setVolatile(ALL, at(thread(thread) + THREAD_WATCHED), 1);
        VarHandle.fullFence();
    }

    /**
     * True once since {@link #watchThread}. A thread that enters a call at the same time may miss
     * the request; its next call answers it.
     */
    public boolean takeThreadWatch(int thread) {
        long watched = at(thread(thread) + THREAD_WATCHED);
        return (int) INTS.getOpaque(ALL, watched) == 1 && INTS.compareAndSet(ALL, watched, 1, 0);
    }

    private static long thread(int thread) {
        return THREADS_OFFSET + thread * THREAD_STRIDE;
    }

    private static long offset(int slot) {
        return LOCKS_OFFSET + slot * LOCK_STRIDE;
    }
}
