package io.muninn.apps.gauss;

/**
 * The columns of one thread: every {@code positions}-th column from {@code position} on, so that
 * all threads have work until the last columns.
 *
 * @param position position of the thread
 * @param positions number of threads of the cluster
 * @param columns number of columns of the system
 */
record Stripe(int position, int positions, int columns) {
    boolean contains(int column) {
        return column % positions == position;
    }

    /** The number of its columns; may be 0 if there are more threads than columns. */
    int length() {
        return upTo(columns - 1);
    }

    /** The number of its columns up to and including {@code column}. */
    int upTo(int column) {
        return column < position ? 0 : (column - position) / positions + 1;
    }

    /**
     * The slot of its first column when the stripes of all threads are stored one after another.
     * The last thread's stripe is the first. Stripes with one more column are thus at the end, so
     * that no page has two writers if the length of a shorter stripe is a multiple of the page
     * size.
     */
    int first() {
        int more = columns % positions; // threads that have one more column
        return (positions - 1 - position) * (columns / positions)
                + Math.max(0, more - 1 - position);
    }

    /** One past the slot of its last column. */
    int end() {
        return first() + length();
    }

    /** Another thread's stripe of the same system. */
    Stripe of(int other) {
        return new Stripe(other, positions, columns);
    }

    /** The slot of any column of the system. */
    int slot(int column) {
        return of(column % positions).first() + column / positions;
    }
}
