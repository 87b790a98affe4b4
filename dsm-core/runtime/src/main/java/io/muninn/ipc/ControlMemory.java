package io.muninn.ipc;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.api.DsmNode;
import io.muninn.nativefault.Mailboxes;
import io.muninn.spi.NodeCounter;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * The memory that agent and application share beside the regions; it never faults.
 *
 * <pre>
 *  offset   what                       who writes
 *       0   counters, i64 each         agent
 *    1024   release watch, i32         agent and traps 0 → 1, releasing threads 1 → 0
 *    4096   lock words, i32 each 64    by compare-and-set, see below
 *  528384   mailboxes                  threads and agent, see {@link Mailboxes}
 * </pre>
 *
 * A lock word is {@link #ABSENT} while the token is elsewhere or in the agent's hands. The agent
 * lends it as {@link #FREE} or {@link #HELD}; threads change FREE to HELD and back. {@link #WANTED}
 * is HELD with somebody waiting: the holder sets ABSENT and calls the agent.
 */
public final class ControlMemory {
    public static final int ABSENT = 0;
    public static final int FREE = 1;
    public static final int HELD = 2;
    public static final int WANTED = 3;

    /** Most locks that one node's application may open. */
    public static final int LOCKS_MAX = DsmNode.LOCKS_MAX;

    /**
     * Of the word that {@link #watchReleases} sets; a trap that lets a thread store sets it, too.
     */
    public static final long WATCH_OFFSET = 1024;

    private static final long LOCKS_OFFSET = 4096;
    private static final long LOCK_STRIDE = 64; // a cache line each

    private static final long MAILBOXES_OFFSET = LOCKS_OFFSET + LOCKS_MAX * LOCK_STRIDE;

    private static final long PAGE_BYTES_MAX = 64 << 10; // of any machine

    /** Length of the memory: whole pages. */
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

    /** A counter's present value; opaque, pairs with {@link #add} in the agent. */
    public long counter(NodeCounter counter) {
        return (long) LONGS.getOpaque(memory, counter.code() * 8L);
    }

    /** Adds to a counter. Only the agent's thread calls it. */
    public void add(NodeCounter counter, long amount) {
        LONGS.setOpaque(memory, counter.code() * 8L, counter(counter) + amount);
    }

    /** Sets a counter that is kept elsewhere. Only the agent's thread calls it. */
    public void set(NodeCounter counter, long value) {
        LONGS.setOpaque(memory, counter.code() * 8L, value);
    }

    /**
     * Asks for the next release. Full fence, pairs with that of {@link #changeLock}: a page that is
     * compared afterwards has the stores of every release that does not tell.
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

    /** Release; pairs with the compare-and-set of whoever takes the lock next. */
    public void setLock(int slot, int to) {
        INTS.setVolatile(memory, offset(slot), to);
    }

    private static long offset(int slot) {
        return LOCKS_OFFSET + slot * LOCK_STRIDE;
    }
}
