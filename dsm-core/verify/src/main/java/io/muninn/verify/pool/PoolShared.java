package io.muninn.verify.pool;

import io.muninn.pool.PoolWords;
import io.muninn.verify.pool.PoolProgram.Variable;
import java.util.Arrays;

/** All that the nodes of a model address: words of the map, frames, locks. */
final class PoolShared implements PoolWords {
    private final long[] words;
    private final long[] frames;
    private final boolean[] isLocked;
    private final long[] values; // by word of all pages: what the next load under the lock returns

    PoolShared(PoolProgram program) {
        int size = program.pages() * PoolProgram.WORDS;
        words = new long[program.layout().words()];
        frames = new long[size];
        isLocked = new boolean[program.locks()];
        values = new long[size];
    }

    private PoolShared(PoolShared of) {
        words = of.words.clone();
        frames = of.frames.clone();
        isLocked = of.isLocked.clone();
        values = of.values.clone();
    }

    PoolShared copy() {
        return new PoolShared(this);
    }

    /** Takes a lock, if it is free. */
    boolean lock(int lock) {
        boolean isFree = !isLocked[lock];
        isLocked[lock] = true;
        return isFree;
    }

    long unlock(int lock) {
        isLocked[lock] = false;
        return 0;
    }

    /**
     * Called by a thread that has the variable's lock.
     *
     * @param stores whether it adds one
     * @return the value before
     */
    long use(Variable variable, boolean stores) {
        long before = values[variable.at()];
        values[variable.at()] += stores ? 1 : 0;
        return before;
    }

    long frame(int at) {
        return frames[at];
    }

    long setFrame(int at, long value) {
        frames[at] = value;
        return 0;
    }

    /** Whether the frames have the last values of all variables. */
    boolean isWrittenBack() {
        return Arrays.equals(frames, values);
    }

    @Override
    public long get(int word) {
        return words[word];
    }

    @Override
    public long getAndOr(int word, long bits) {
        long before = words[word];
        words[word] |= bits;
        return before;
    }

    @Override
    public long getAndAnd(int word, long bits) {
        long before = words[word];
        words[word] &= bits;
        return before;
    }

    @Override
    public long getAndSet(int word, long value) {
        long before = words[word];
        words[word] = value;
        return before;
    }

    @Override
    public boolean compareAndSet(int word, long expected, long value) {
        boolean isExpected = words[word] == expected;
        words[word] = isExpected ? value : words[word];
        return isExpected;
    }

    void hash(StateHash into) {
        into.add(words);
        into.add(frames);
        for (boolean locked : isLocked) {
            into.add(locked ? 1 : 0);
        }
        into.add(values);
    }
}
