package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.BitSet;

/**
 * An agent that keeps the pages of its application coherent by a pool: it writes stores back and
 * publishes them, and discards the pages on its weak list. Pages have one size; the pool has at
 * most 64 machine pages, so a weak list is two words.
 */
final class PoolNode implements AutoCloseable {
    private static final int PAGE = Pair.PAGE;
    private static final int WORDS_OF_PAGE = 4;
    private static final VarHandle LONGS = JAVA_LONG.varHandle();
    private static final VarHandle INTS = JAVA_INT.varHandle();

    final Pair pair;
    final FaultEngine engine;
    final PoolPages pages;
    private final PoolSegment pool;
    private final int node;
    private final int bytes;
    private final long[] twins; // by page; 0 for none
    private final BitSet mapped = new BitSet();
    private final BitSet waiting = new BitSet(); // pages with threads that the agent resumes
    private final MemorySegment diff;
    private int entries;

    /**
     * @param bytes of a page
     */
    PoolNode(EngineKind kind, PoolSegment pool, int node, int bytes) {
        this.pool = pool;
        this.node = node;
        this.bytes = bytes;
        pair = Pair.startPooled(kind, pool.nodeBytes(), node, pool);
        engine = pair.engine;
        pages = new PoolPages(engine);
        twins = new long[count()];
        diff = Arena.ofAuto().allocate(FaultEngine.diffBytesMax(bytes, 8));
        for (int page = 0; page < count(); page++) {
            pages.offerAbsent(offset(page), bytes);
        }
    }

    /** Number of pages. */
    int count() {
        return (int) (pool.nodeBytes() / bytes);
    }

    long offset(int page) {
        return (long) page * bytes;
    }

    /** Times that a page was entered, as known. */
    int entries() {
        return entries;
    }

    /** Reads what traps have done. */
    void readTraps() {
        engine.readDirtied(
                new DirtiedSink() {
                    @Override
                    public void onEntered(long offset) {
                        mapped.set((int) (offset / bytes));
                        entries++;
                    }

                    @Override
                    public void onDirtied(long offset) {
                        adopt((int) (offset / bytes));
                    }
                });
    }

    private void adopt(int page) {
        if (!mapped.get(page)) {
            throw new AssertionError("page " + page + " was stored to before it was entered");
        }
        if (twins[page] == 0 && engine.trapState(offset(page)).isStoredTo()) {
            twins[page] = engine.adoptTwin(offset(page), bytes);
        }
    }

    /**
     * Takes a page, if no trap is about to give access to it, with its twin if it has one.
     *
     * @return false if it could not be taken
     */
    boolean take(int page) {
        TrapState state = engine.freeze(offset(page), bytes);
        readTraps();
        if (state == TrapState.DIRTY) {
            state = engine.seize(offset(page), bytes);
        }
        return state == TrapState.AGENT;
    }

    /** Writes the stores to a page that was taken back, and publishes them. */
    void release(int page) {
        engine.limit(offset(page), bytes);
        if (twins[page] == 0) {
            return;
        }
        long result = engine.diff(offset(page), twins[page], bytes, 8, diff);
        engine.freeTwin(twins[page], bytes);
        twins[page] = 0;
        if (result != 0) {
            MemorySegment changed = diff.asSlice(0, FaultEngine.diffBytes(result));
            pages.writeBack(changed, offset(page), bytes, 8);
            pool.publish(node, offset(page) / PAGE);
        }
    }

    /** Discards a page that was taken and has no twin, and leaves it. */
    void leave(int page) {
        engine.discard(offset(page), bytes);
        long at = WORDS_OF_PAGE * offset(page) / PAGE * Long.BYTES;
        LONGS.getAndBitwiseAnd(pool.words(), at, ~(1L << node));
        LONGS.getAndBitwiseAnd(pool.words(), at + Long.BYTES, ~(1L << node));
        mapped.clear(page);
    }

    /** Takes the node's weak list: the pages whose copies may be old. */
    BitSet takeList() {
        int machinePages = (int) (pool.nodeBytes() / PAGE);
        long at = (WORDS_OF_PAGE * machinePages + 2L * node) * Long.BYTES;
        BitSet listed = new BitSet();
        if ((long) LONGS.getAndSet(pool.words(), at, 0L) != 0) {
            long leaf = (long) LONGS.getAndSet(pool.words(), at + Long.BYTES, 0L);
            BitSet.valueOf(new long[] {leaf}).stream()
                    .forEach(page -> listed.set(page * PAGE / bytes));
        }
        return listed;
    }

    /**
     * Publishes all stores, and discards those of the listed pages that the node maps.
     *
     * @param listed loses the pages that were discarded; the others must be discarded later
     */
    void synchronize(BitSet listed) {
        readTraps();
        for (int page = 0; page < count(); page++) {
            if (mapped.get(page) || engine.trapState(offset(page)) == TrapState.ENTERING) {
                synchronize(page, listed);
            } else if (take(page) && !mapped.get(page)) {
                listed.clear(page);
            }
            offer(page);
        }
        serve();
    }

    private void synchronize(int page, BitSet listed) {
        if (take(page) && mapped.get(page)) {
            release(page);
            if (listed.get(page)) {
                leave(page);
                listed.clear(page);
            }
        }
    }

    private void offer(int page) {
        if (engine.trapState(offset(page)) != TrapState.AGENT) {
            return;
        }
        if (mapped.get(page)) {
            engine.offer(offset(page), bytes);
        } else {
            pages.offerAbsent(offset(page), bytes);
        }
    }

    /** Resumes threads that found a page taken; without traps it does what they would. */
    private void serve() {
        engine.readFaults(
                MappingId.FIRST,
                (_, offset, kind, _) -> {
                    int page = (int) (offset / bytes);
                    waiting.set(page);
                    if (!engine.kind().hasTraps()) {
                        resolve(page, kind);
                    }
                });
        waiting.stream().forEach(page -> engine.wake(offset(page), bytes));
        waiting.clear();
    }

    private void resolve(int page, FaultKind kind) {
        if (!mapped.get(page)) {
            pages.enter(MappingId.FIRST, offset(page), bytes);
            mapped.set(page);
            entries++;
        }
        if (kind.isStore() && twins[page] == 0) {
            twins[page] = engine.makeTwin(offset(page), bytes);
            engine.allow(MappingId.FIRST, offset(page), bytes, PageAccess.READ_WRITE);
        }
    }

    /** Answers faults until the application prints a line. */
    String lineWhileServing() {
        for (long start = System.nanoTime(); true; ) {
            Descriptors.await(10, engine.first().faultFd());
            serve();
            String line = pair.application.lineNow();
            if (line != null) {
                return line;
            }
            if (System.nanoTime() - start > Pair.PATIENCE_NANOS) {
                throw new AssertionError("stalled; stderr: " + pair.application.errors());
            }
        }
    }

    /** Holds the traps that reach this step: {@code enum dsm_gate}. */
    void hold(int gate) {
        INTS.setVolatile(engine.gate(), 4L, 0);
        INTS.setVolatile(engine.gate(), 0L, gate);
    }

    void awaitHeld() {
        for (long start = System.nanoTime(); (int) INTS.getVolatile(engine.gate(), 4L) == 0; ) {
            if (System.nanoTime() - start > Pair.PATIENCE_NANOS) {
                throw new AssertionError("no trap reached the gate");
            }
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        pair.close();
    }
}
