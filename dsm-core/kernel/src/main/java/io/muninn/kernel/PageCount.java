package io.muninn.kernel;

/**
 * What a node counts of each page, and so of each region. Codes never change meaning: they are
 * positions in reports.
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
    /** Bytes of messages sent, frames included; one of several pages is shared out evenly. */
    BYTES(9, "bytes"),
    /**
     * Diffs of other nodes applied to a page that this node has stored to since its last flush, and
     * that have no granule in common with those stores; or to a page whose own diff is not
     * acknowledged by all yet, where granules in common are not looked for. Both wrote the page
     * between the same synchronizations, each its own elements unless there is a data race.
     */
    FALSELY_SHARED(10, "falselyShared"),
    /** The first of the two, but with granules in common: a data race. */
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
