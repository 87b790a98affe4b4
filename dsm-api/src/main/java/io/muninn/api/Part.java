package io.muninn.api;

import io.muninn.api.Domain.Line;
import java.util.List;

/**
 * Indices of a parallel loop that one thread runs sequentially.
 *
 * @param range their positions in the domain; of a loop over one range, the indices themselves
 * @param domain of the loop
 * @param node of the thread that runs them
 * @param team for loops within the loop, which run in place
 */
public record Part(Band range, Domain domain, DsmNode node, Team team) {
    /** First index of a loop over one range. */
    public int from() {
        return range.from();
    }

    /** One past the last index of a loop over one range. */
    public int to() {
        return range.to();
    }

    /** The indices, as lines in row-major order. */
    public List<Line> lines() {
        return domain.lines(range);
    }
}
