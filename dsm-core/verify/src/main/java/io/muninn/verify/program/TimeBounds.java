package io.muninn.verify.program;

import io.muninn.api.spi.RegionSpec;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.sim.processor.ProcessorRules;

/** How long a fault, and a program, may take once there is no trouble. */
final class TimeBounds {
    private TimeBounds() {}

    /**
     * The longest that one fault can take once there is no trouble: its request is forwarded by
     * every node, waits at each for the page's hold time, and every other node has to give up its
     * copy. That is 4 messages, each with a step, for each node. Each may interrupt a thread, and
     * on each node every thread may be switched to once.
     */
    static long faultNanos(Program program, RandomDelays delays) {
        int pageBytes = program.regions().stream().mapToInt(RegionSpec::pageBytes).max().orElse(0);
        ProcessorRules processors = program.processors();
        long messageNanos = delays.nanosMax(pageBytes) + processors.arrivalNanos();
        long switchesNanos = program.threads() * processors.switchNanos();
        return program.nodes() * (8 * messageNanos + program.holdNanos() + switchesNanos);
    }

    /**
     * When everything has to be done: a bound after the heal. In as long as a fault takes at most,
     * one of the program's operations is done at least; were they done one after another, it would
     * take as many such times as there are operations. Limits of waits come to it, and the time
     * that letters take on their links.
     */
    static long limitNanos(Program program, RandomDelays delays, long healNanos) {
        long operations = program.initial().size() + program.operations();
        long lettersNanos = 4 * delays.transfer((int) program.letterBytes());
        return healNanos
                + faultNanos(program, delays) * operations
                + program.workNanos()
                + program.timeoutNanos()
                + lettersNanos;
    }
}
