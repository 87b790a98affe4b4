package io.muninn.sim.machine;

/**
 * What the protocol costs the processors of a node, in cycles.
 *
 * @param eventCycles of the handler of any event
 * @param faultCycles from a thread's fault to its handler, and from the handler to the thread
 * @param callCycles from a thread's call to its handler, and from the handler to the thread
 * @param interruptCycles to interrupt a processor
 * @param invokeCycles to invoke a handler on a processor that was interrupted
 * @param tlbCycles for each page whose access is changed
 * @param compareCycles for each word of a page that is compared with its twin
 * @param changedCycles for each word of a diff, where it is made and where it is applied
 * @param sendCycles to initiate a message
 * @param localLockCycles to acquire a lock that was released last within the node
 */
public record HandlerCosts(
        int eventCycles,
        int faultCycles,
        int callCycles,
        int interruptCycles,
        int invokeCycles,
        int tlbCycles,
        int compareCycles,
        int changedCycles,
        int sendCycles,
        int localLockCycles) {
    private static final int WORD_BYTES = 4;

    /**
     * Work on a diff.
     *
     * @param comparedBytes of the page; 0 where the diff is applied
     * @param changedBytes that the diff contains
     */
    public long diffCycles(int comparedBytes, int changedBytes) {
        return (long) compareCycles * Math.ceilDiv(comparedBytes, WORD_BYTES)
                + (long) changedCycles * Math.ceilDiv(changedBytes, WORD_BYTES);
    }
}
