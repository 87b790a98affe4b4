package io.muninn.api;

/**
 * Counts of one node since its start. Reading them costs a few loads and no message. A count may
 * not yet include the agent's current step.
 *
 * @param readFaults loads from pages without access
 * @param writeFaults stores to pages without access or readable only
 * @param pagesFetched page images received from other nodes
 * @param pagesSent page images sent to other nodes
 * @param twinsMade copies of pages made before their first store of an interval
 * @param diffsMade diffs taken at releases and barriers, empty ones included
 * @param diffsApplied diffs of other nodes applied to pages of this node
 * @param messages sent to other nodes, of every kind
 * @param bytes sent to other nodes, frames included
 */
public record Statistics(
        long readFaults,
        long writeFaults,
        long pagesFetched,
        long pagesSent,
        long twinsMade,
        long diffsMade,
        long diffsApplied,
        long messages,
        long bytes) {
    /** All counts are zero. */
    public static final Statistics ZERO = new Statistics(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Returns the differences between an earlier reading and this one. */
    public Statistics since(Statistics earlier) {
        return new Statistics(
                readFaults - earlier.readFaults,
                writeFaults - earlier.writeFaults,
                pagesFetched - earlier.pagesFetched,
                pagesSent - earlier.pagesSent,
                twinsMade - earlier.twinsMade,
                diffsMade - earlier.diffsMade,
                diffsApplied - earlier.diffsApplied,
                messages - earlier.messages,
                bytes - earlier.bytes);
    }
}
