package io.muninn.api;

/**
 * Indices of a parallel loop that one thread runs one after the other.
 *
 * @param range the indices
 * @param node of the thread that runs them
 * @param team for loops within the loop, which run in place
 */
public record Part(Band range, DsmNode node, Team team) {
    /** First index. */
    public int from() {
        return range.from();
    }

    /** One past the last index. */
    public int to() {
        return range.to();
    }
}
