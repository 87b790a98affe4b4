package io.muninn.spi;

import io.muninn.model.MappingId;

/**
 * The view of a process at some time: the intervals of other nodes whose notices it has processed.
 * A view only grows, and each growth has a number.
 *
 * @param of the process; {@link MappingId#ALL} for the intervals that any process of the node has
 *     seen
 * @param number from 0, of the process's growths
 */
public record ViewMark(MappingId of, long number) {
    /** A view of which every process has seen everything. */
    public static final ViewMark NOTHING = new ViewMark(MappingId.ALL, 0);
}
