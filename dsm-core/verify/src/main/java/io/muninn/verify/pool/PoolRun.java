package io.muninn.verify.pool;

import io.muninn.pool.BrokenMapException;
import io.muninn.pool.CheckedWords;
import io.muninn.pool.CoherentMap;
import io.muninn.pool.PoolWords;
import io.muninn.verify.pool.PoolProgram.Section;
import io.muninn.verify.pool.PoolProgram.Variable;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/**
 * One step of a node within a section. The section is run from its beginning: accesses of earlier
 * steps have their recorded results, those of the next are performed, and the one behind ends the
 * run.
 */
final class PoolRun implements PoolWords {
    /** What became of the step. */
    enum End {
        /** It was performed, and others follow. */
        PERFORMED,
        /** It was the last of its section. */
        LAST,
        /** It waits for a lock. */
        BLOCKED
    }

    /** Ends a run before the section's end. */
    private static final class Paused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        static final Paused NOW = new Paused();

        private Paused() {
            super(null, null, false, false);
        }
    }

    private final PoolProgram program;
    private final PoolShared shared;
    private final int self;
    private final PoolNode node; // as it was at the beginning of the section, then changed
    private final CoherentMap map;
    private final LongStream.Builder results = LongStream.builder();
    private int replayed;
    private boolean isPerformed;
    private boolean isBlocked;

    /**
     * @param shared changed by the step
     * @param node not changed
     */
    PoolRun(PoolProgram program, PoolShared shared, int self, PoolNode node) {
        this.program = program;
        this.shared = shared;
        this.self = self;
        this.node = node.copy();
        this.map =
                new CoherentMap(
                        program.layout(),
                        program.rules(),
                        new CheckedWords(program.layout(), program.rules(), this));
    }

    /**
     * @throws PoolViolation if the node has loaded an old value, or a word that no operation leaves
     */
    End perform() {
        try {
            run(program.nodes().get(self).kinds().get(node.kind), 0);
            return End.LAST;
        } catch (Paused paused) {
            return isBlocked ? End.BLOCKED : End.PERFORMED;
        } catch (BrokenMapException rejected) {
            throw new PoolViolation(String.valueOf(rejected.getMessage()));
        }
    }

    /** The results of what the step has done, in order. */
    long[] results() {
        return results.build().toArray();
    }

    /** The node behind its section. */
    PoolNode node() {
        return node;
    }

    /** An access that other nodes may see: ends the run, if the step is done. */
    private long step(LongSupplier access) {
        return isReplayed() ? replay() : performStep(access);
    }

    private long performStep(LongSupplier access) {
        pauseBehindStep();
        isPerformed = true;
        return record(access.getAsLong());
    }

    private void pauseBehindStep() {
        if (isPerformed) {
            throw Paused.NOW;
        }
    }

    /**
     * An access that no other node can see before the next release of a lock: of one step with the
     * access before it, or behind the acquisition of a lock with the one after it.
     */
    private long guarded(LongSupplier access) {
        return isReplayed() ? replay() : record(access.getAsLong());
    }

    /** Takes a lock, as the beginning of a step. */
    private void lock(int lock) {
        if (isReplayed()) {
            replay();
            return;
        }
        pauseBehindStep();
        isBlocked = !shared.lock(lock);
        if (isBlocked) {
            throw Paused.NOW;
        }
        record(0);
    }

    private boolean isReplayed() {
        return replayed < node.results.length;
    }

    private long replay() {
        return node.results[replayed++];
    }

    private long record(long result) {
        results.add(result);
        return result;
    }

    private void run(Section section, int depth) {
        if (depth == section.locks().size()) {
            return;
        }
        int lock = section.locks().get(depth);
        lock(lock);
        acquire();
        for (Variable variable : program.variables()) {
            if (variable.lock() == lock) {
                use(variable, section.stores());
            }
        }
        run(section, depth + 1);
        release();
        guarded(() -> shared.unlock(lock));
    }

    private boolean isHome() {
        return self == program.home();
    }

    private void acquire() {
        for (int page = 0; page < program.pages(); page++) {
            if (isIn(node.published, page)) {
                map.leave(self, page); // a home that does not store to it
            }
        }
        node.published = 0;
        map.takeList(self, this::discard);
        for (int page = 0; page < program.pages(); page++) {
            if (isIn(node.checked, page) && map.check(self, page)) {
                discard(page);
            }
        }
    }

    private void discard(int page) {
        if (!isIn(node.mapped, page)) {
            return;
        }
        flush(page);
        node.mapped &= ~bit(page);
        node.checked &= ~bit(page);
        node.announced &= ~bit(page);
        for (int i = 0; i < PoolProgram.WORDS; i++) {
            node.copies[page * PoolProgram.WORDS + i] = 0;
        }
        map.leave(self, page);
    }

    private void use(Variable variable, boolean stores) {
        int page = variable.page();
        if (isHome()) {
            useInPlace(variable, stores);
            return;
        }
        if (!isIn(node.mapped, page)) {
            map(page);
        }
        int at = variable.at();
        long expected = guarded(() -> shared.use(variable, stores));
        check(variable, node.copies[at], expected);
        if (stores) {
            announce(page);
            if (!isIn(node.dirty, page)) {
                node.dirty |= bit(page);
                int first = page * PoolProgram.WORDS;
                System.arraycopy(node.copies, first, node.twins, first, PoolProgram.WORDS);
            }
            node.copies[at]++;
        }
    }

    private void check(Variable variable, long loaded, long expected) {
        if (loaded != expected) {
            throw new PoolViolation(
                    String.format(
                            Locale.ROOT,
                            "node %d loads %d from page %d, word %d, in place of %d",
                            self,
                            loaded,
                            variable.page(),
                            variable.word(),
                            expected));
        }
    }

    private void useInPlace(Variable variable, boolean stores) {
        int at = variable.at();
        long loaded = step(() -> shared.frame(at));
        check(variable, loaded, guarded(() -> shared.use(variable, stores)));
        if (stores) {
            step(() -> shared.setFrame(at, loaded + 1));
            node.dirty |= bit(variable.page());
        }
    }

    /** With immediate transitions, publishes the first store since the page was mapped. */
    private void announce(int page) {
        if (program.isImmediate() && !isIn(node.announced, page)) {
            node.announced |= bit(page);
            publish(page);
        }
    }

    private void publish(int page) {
        node.checked |= map.publish(self, page) ? bit(page) : 0;
    }

    private void map(int page) {
        boolean isUnsafe = map.enter(self, page);
        if (program.home() != PoolProgram.NO_HOME) {
            map.tellHome(program.home(), page);
        }
        for (int i = 0; i < PoolProgram.WORDS; i++) {
            int at = page * PoolProgram.WORDS + i;
            node.copies[at] = step(() -> shared.frame(at));
        }
        node.mapped |= bit(page);
        node.checked |= isUnsafe ? bit(page) : 0;
    }

    private void release() {
        if (isHome()) {
            publishInPlace();
            return;
        }
        for (int page = 0; page < program.pages(); page++) {
            flush(page);
        }
    }

    /** Publishes the frames that were stored to, and those that others have entered. */
    private void publishInPlace() {
        map.takeEntered(self, program.pages(), page -> node.fresh |= bit(page));
        node.entered |= node.fresh;
        int published = (node.dirty | node.fresh) & node.entered;
        node.dirty = 0;
        node.fresh = 0;
        for (int page = 0; page < program.pages(); page++) {
            if (isIn(published, page)) {
                map.publish(self, page);
                node.published |= bit(page);
                node.entered &= ~bit(page);
            }
        }
    }

    /** Writes the stores of a page back and publishes them, if it has any. */
    private void flush(int page) {
        if (!isIn(node.dirty, page)) {
            return;
        }
        for (int i = 0; i < PoolProgram.WORDS; i++) {
            int at = page * PoolProgram.WORDS + i;
            long stored = node.copies[at];
            if (stored != node.twins[at]) {
                step(() -> shared.setFrame(at, stored));
            }
            node.twins[at] = 0;
        }
        node.dirty &= ~bit(page);
        if (!program.isImmediate()) {
            publish(page);
        }
    }

    private static boolean isIn(int pages, int page) {
        return (pages & bit(page)) != 0;
    }

    private static int bit(int page) {
        return 1 << page;
    }

    @Override
    public long get(int word) {
        return step(() -> shared.get(word));
    }

    @Override
    public long getAndOr(int word, long bits) {
        return step(() -> shared.getAndOr(word, bits));
    }

    @Override
    public long getAndAnd(int word, long bits) {
        return step(() -> shared.getAndAnd(word, bits));
    }

    @Override
    public long getAndSet(int word, long value) {
        return step(() -> shared.getAndSet(word, value));
    }

    @Override
    public boolean compareAndSet(int word, long expected, long value) {
        return step(() -> shared.compareAndSet(word, expected, value) ? 1 : 0) == 1;
    }
}
