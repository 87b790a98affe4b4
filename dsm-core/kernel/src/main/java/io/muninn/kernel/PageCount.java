package io.muninn.kernel;

/**
 * A count that a node keeps for each page, and so for each region. Codes never change meaning: they
 * are positions in reports.
 */
public enum PageCount {
    READ_FAULTS(0, "readFaults"),
    WRITE_FAULTS(1, "writeFaults"),
    READ_FAULT_NANOS(2, "readFaultNanos"),
    WRITE_FAULT_NANOS(3, "writeFaultNanos"),
    PAGES_FETCHED(4, "pagesFetched"),
    TWINS_MADE(5, "twinsMade"),
    DIFFS_MADE(6, "diffsMade"),
    DIFFS_APPLIED(7, "diffsApplied"),
    /** Messages sent that name the page. */
    MESSAGES(8, "messages"),
    /** Bytes of messages sent, frames included; a message about several pages is divided evenly. */
    BYTES(9, "bytes"),
    /**
     * Diffs of other nodes applied to a page that this node has stored to since its last flush,
     * without a granule in common with those stores; or to a page whose own diff is not
     * acknowledged by all yet, where common granules are not detected. Both nodes wrote the page
     * between the same synchronizations, each its own elements unless there is a data race.
     */
    FALSELY_SHARED(10, "falselyShared"),
    /** Diffs of the first of these two kinds, but with granules in common: a data race. */
    CONFLICTING(11, "conflicting");

    private final int code;
    private final String key;

    PageCount(int code, String key) {
        this.code = code;
        this.key = key;
    }

    /** Position in arrays of counts, from 0, dense. */
    public int code() {
        return code;
    }

    /** Key in reports. */
    public String key() {
        return key;
    }
}
