package io.muninn.sim.processor;

import java.util.List;

/**
 * How one node has used its processors until some moment.
 *
 * @param processors of the node; without a limit, as many as its threads have used
 * @param elapsedNanos since the simulation began
 * @param ofNoThread time that is charged to no thread: that of idle processors
 * @param threads by number of the thread, the node's own ones last
 */
public record ProcessorReport(
        int processors,
        long elapsedNanos,
        ProcessorTimes ofNoThread,
        List<ProcessorTimes> threads) {
    public ProcessorReport {
        threads = List.copyOf(threads);
    }

    /** The node's time. Its uses take the elapsed time of all processors together. */
    public ProcessorTimes total() {
        return threads.stream().reduce(ofNoThread, ProcessorTimes::plus);
    }
}
