package io.muninn.sim.processor;

import java.util.List;

/**
 * The use of one node's processors until some moment.
 *
 * @param processors their number; without a limit, as many as its threads have used
 * @param elapsedNanos since the simulation began
 * @param ofNoThread time of idle processors, which is charged to no thread
 * @param threads times by number of the thread, the node's own ones last
 */
public record ProcessorReport(
        int processors,
        long elapsedNanos,
        ProcessorTimes ofNoThread,
        List<ProcessorTimes> threads) {
    public ProcessorReport {
        threads = List.copyOf(threads);
    }

    /** The node's time. The sum of its uses is the elapsed time of all processors. */
    public ProcessorTimes total() {
        return threads.stream().reduce(ofNoThread, ProcessorTimes::plus);
    }
}
