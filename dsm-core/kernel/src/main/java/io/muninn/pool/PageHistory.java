package io.muninn.pool;

/**
 * How a page has behaved, as a word of the map. It begins as zero: safe.
 *
 * @param isUnsafe whether publications of the page send no notices, so that its mappers look at the
 *     map instead
 * @param isSettled of an unsafe page: whether every mapper knows that it is unsafe, or has a notice
 * @param count of a safe page its publications with notices, of an unsafe one its checks in a row
 *     that found no stale copy
 */
record PageHistory(boolean isUnsafe, boolean isSettled, int count) {
    /** Safe, without a notice. */
    static final PageHistory NEW = new PageHistory(false, false, 0);

    /** Unsafe; the publication that makes it so has not sent its notices yet. */
    static final PageHistory MARKED = new PageHistory(true, false, 0);

    private static final long UNSAFE = 1;
    static final long SETTLED = 2;
    private static final int COUNT_SHIFT = 2;

    static PageHistory of(long word) {
        return new PageHistory(
                (word & UNSAFE) != 0, (word & SETTLED) != 0, (int) (word >>> COUNT_SHIFT));
    }

    /** Whether operations under these rules can leave a word with this value. */
    static boolean isPossible(long word, PoolRules rules) {
        long count = word >>> COUNT_SHIFT;
        boolean isUnsafe = (word & UNSAFE) != 0;
        if ((word & SETTLED) != 0) {
            return isUnsafe && count < rules.checksMax();
        }
        return count <= (isUnsafe ? 0 : rules.noticesMax());
    }

    long word() {
        return (isUnsafe ? UNSAFE : 0) | (isSettled ? SETTLED : 0) | (long) count << COUNT_SHIFT;
    }

    PageHistory counted() {
        return new PageHistory(isUnsafe, isSettled, count + 1);
    }

    PageHistory cleared() {
        return new PageHistory(isUnsafe, isSettled, 0);
    }
}
