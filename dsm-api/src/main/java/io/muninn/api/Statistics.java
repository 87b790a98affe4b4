package io.muninn.api;

/**
 * Counts of one node since its start. Reading them costs a few loads and no message; a count may
 * lag behind by what the agent is doing at the moment.
 *
 * @param readFaults loads from pages without access
 * @param writeFaults stores to pages without access or readable only
 * @param pagesFetched page images that came from other nodes
 * @param pagesSent page images that went to other nodes
 * @param twinsMade copies made of pages before their first store of an interval
 * @param diffsMade diffs taken at releases and barriers, empty ones included
 * @param diffsApplied diffs of other nodes put into pages of this one
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
    /** Nothing has happened. */
    public static final Statistics ZERO = new Statistics(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** What happened between an earlier reading and this one. */
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
