package io.muninn.api;

/**
 * Counts of one node since its start. Reading them costs a few loads and no message; a count may lag
 * behind by what the agent is doing at the moment.
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
