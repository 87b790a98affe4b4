package io.muninn.ipc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.api.DsmNode;
import io.muninn.nativefault.Mailboxes;
import io.muninn.spi.NodeCounter;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The memory that agent and application share in addition to the regions; it never faults.
 *
 * <pre>
 *  offset   what                       who writes
 *       0   counters, i64 each         agent
 *    1024   release watch, i32         agent and traps 0 → 1, releasing threads 1 → 0
 *    4096   lock words, i32 each 64    by compare-and-set, see below
 *  528384   mailboxes                  threads and agent, see {@link Mailboxes}
 * </pre>
 *
 * A lock word is {@link #ABSENT} while another node or the agent has the token. The agent lends the
 * token as {@link #FREE} or {@link #HELD}; threads change FREE to HELD and back. {@link #WANTED} is
 * HELD with a waiter: the holder sets ABSENT and calls the agent.
 */
public final class ControlMemory {
    public static final int ABSENT = 0;
    public static final int FREE = 1;
    public static final int HELD = 2;
    public static final int WANTED = 3;

    /** Largest number of locks that one node's application may open. */
    public static final int LOCKS_MAX = DsmNode.LOCKS_MAX;

    /**
     * Offset of the word that {@link #watchReleases} sets; a trap that permits a store also sets
     * it.
     */
    public static final long WATCH_OFFSET = 1024;

    private static final long LOCKS_OFFSET = 4096;
    private static final long LOCK_STRIDE = 64; // one cache line per word

    private static final long MAILBOXES_OFFSET = LOCKS_OFFSET + LOCKS_MAX * LOCK_STRIDE;

    private static final long PAGE_BYTES_MAX = 64 << 10; // largest page of any machine

    /** Size of the memory in bytes: whole pages. */
    public static final long BYTES =
            Math.ceilDiv(MAILBOXES_OFFSET + Mailboxes.BYTES, PAGE_BYTES_MAX) * PAGE_BYTES_MAX;

    private static final VarHandle LONGS = JAVA_LONG.varHandle();
    private static final VarHandle INTS = JAVA_INT.varHandle();

    private final MemorySegment memory;

    public ControlMemory(MemorySegment memory) {
        this.memory = memory;
    }

    /** The memory of the {@link Mailboxes}. */
    public MemorySegment mailboxes() {
        return memory.asSlice(MAILBOXES_OFFSET, Mailboxes.BYTES);
    }

    /** A counter's current value; opaque, pairs with {@link #add} in the agent. */
    public long counter(NodeCounter counter) {
        return (long) LONGS.getOpaque(memory, counter.code() * 8L);
    }

    /** Adds to a counter. Only the agent's thread calls it. */
    public void add(NodeCounter counter, long amount) {
        LONGS.setOpaque(memory, counter.code() * 8L, counter(counter) + amount);
    }

    /** Sets a counter whose value is kept elsewhere. Only the agent's thread calls it. */
    public void set(NodeCounter counter, long value) {
        LONGS.setOpaque(memory, counter.code() * 8L, value);
    }

    /**
     * Requests notification of the next release. Full fence, pairs with that of {@link
     * #changeLock}: a page compared afterwards has the stores of every release that does not
     * notify.
     */
    public void watchReleases() {
        INTS.setVolatile(memory, WATCH_OFFSET, 1);
        VarHandle.fullFence();
    }

    /** True for exactly one releasing thread since {@link #watchReleases}. */
    public boolean takeWatch() {
        return (int) INTS.getVolatile(memory, WATCH_OFFSET) == 1
                && INTS.compareAndSet(memory, WATCH_OFFSET, 1, 0);
    }

    /** Changes a lock word; full fence, so that a lock's stores and loads stay inside it. */
    public boolean changeLock(int slot, int from, int to) {
        return INTS.compareAndSet(memory, offset(slot), from, to);
    }

    /**
     * Sets a lock word. Release; pairs with the compare-and-set of the next thread that takes the
     * lock.
     */
    public void setLock(int slot, int to) {
        INTS.setVolatile(memory, offset(slot), to);
    }

    private static long offset(int slot) {
        return LOCKS_OFFSET + slot * LOCK_STRIDE;
    }
}
