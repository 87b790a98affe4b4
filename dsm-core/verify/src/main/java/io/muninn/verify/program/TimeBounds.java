package io.muninn.verify.program;

import io.muninn.api.spi.RegionSpec;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.sim.processor.ProcessorRules;

/** Time limits of a fault, and of a program, without disruptions. */
final class TimeBounds {
    private TimeBounds() {}

    /**
     * The longest duration of a fault without disruptions: its request is forwarded by every node,
     * waits at each for the page's hold time, and every other node has to give up its copy. That is
     * 4 messages, each with a step, for each node. Each may interrupt a thread, and each node may
     * switch to every thread once.
     */
    static long faultNanos(Program program, RandomDelays delays) {
        int pageBytes = program.regions().stream().mapToInt(RegionSpec::pageBytes).max().orElse(0);
        ProcessorRules processors = program.processors();
        long messageNanos = delays.nanosMax(pageBytes) + processors.arrivalNanos();
        long switchesNanos = program.threads() * processors.switchNanos();
        return program.nodes() * (8 * messageNanos + program.holdNanos() + switchesNanos);
    }

    /**
     * The time limit of a program: a bound after the heal. At least one operation is done within
     * the longest duration of a fault, so the bound is this duration times the number of
     * operations. The limits of waits are added, and the transfer times of letters.
     */
    static long limitNanos(Program program, RandomDelays delays, long healNanos) {
        long operations = (long) program.initial().size() + program.operations();
        long lettersNanos = 4 * delays.transfer((int) program.letterBytes());
        return healNanos
                + faultNanos(program, delays) * operations
                + program.workNanos()
                + program.timeoutNanos()
                + lettersNanos;
    }
}
