package io.muninn.apps.gauss;

/**
 * The columns of one thread: every {@code positions}-th, from {@code position} on. So all threads
 * have work until the last columns are reached.
 *
 * @param position of the thread among all
 * @param positions threads of the cluster
 * @param columns of the system
 */
record Stripe(int position, int positions, int columns) {
    boolean contains(int column) {
        return column % positions == position;
    }

    /** How many columns it has; 0 with more threads than columns. */
    int length() {
        return upTo(columns - 1);
    }

    /** How many of its columns are {@code column} or left of it. */
    int upTo(int column) {
        return column < position ? 0 : (column - position) / positions + 1;
    }

    /**
     * Where its columns begin when those of all threads are stored stripe after stripe. The last
     * thread's come first: those that have one column more, the right-hand side at least, are then
     * at the end, and where pages hold an even part of a stripe no page has two writers.
     */
    int first() {
        int more = columns % positions; // threads that have one column more
        return (positions - 1 - position) * (columns / positions)
                + Math.max(0, more - 1 - position);
    }

    /** One past its last column, in the same storage. */
    int end() {
        return first() + length();
    }

    /** Another thread's stripe of the same system. */
    Stripe of(int other) {
        return new Stripe(other, positions, columns);
    }

    /** Where a column of any stripe is, in the same storage. */
    int slot(int column) {
        return of(column % positions).first() + column / positions;
    }
}
