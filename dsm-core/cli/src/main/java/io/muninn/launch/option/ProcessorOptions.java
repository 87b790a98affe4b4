package io.muninn.launch.option;

import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.processor.ProcessorRules;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the processors of the nodes of a simulated program. */
public final class ProcessorOptions {
    private static final String PROCESSORS = "--processors";
    private static final String SWITCH = "--switch-cost";
    private static final String ARRIVAL = "--arrival-cost";
    private static final String PREFETCH = "--prefetch-cost";
    private static final String AGENTS_SHARE = "--agents-share";
    private static final int PROCESSORS_MAX = 1024;

    @Option(
            names = PROCESSORS,
            paramLabel = "P",
            description =
                    "processors of each node; a thread runs until it stops, then the next"
                            + " one runs (default: one for each thread)")
    private @Nullable Integer processors; // null if not given

    @Option(
            names = SWITCH,
            paramLabel = "N",
            description = "microseconds of a processor's switch to another thread (default: 0)")
    private @Nullable Long switchMicros; // null if not given

    @Option(
            names = ARRIVAL,
            paramLabel = "N",
            description =
                    "microseconds for which a message interrupts a thread, if every"
                            + " processor runs one (default: 0)")
    private @Nullable Long arrivalMicros; // null if not given

    @Option(
            names = PREFETCH,
            paramLabel = "N",
            description =
                    "microseconds of a thread's prefetch of a page that is not present"
                            + " (default: 0)")
    private @Nullable Long prefetchMicros; // null if not given

    @Option(
            names = AGENTS_SHARE,
            description =
                    "for --processors 1: the agent works on the processor of the threads, which"
                            + " stop meanwhile (default: it has a processor of its own)")
    private @Nullable Boolean agentsShare; // null if not given

    /** Whether any of these options was given. */
    boolean isAnyGiven() {
        return processors != null
                || switchMicros != null
                || arrivalMicros != null
                || prefetchMicros != null
                || agentsShare != null;
    }

    /**
     * @throws IllegalArgumentException whose text is for the user
     */
    public ProcessorRules rules() {
        int number = ProcessorRules.ONE_EACH.processors();
        if (processors != null) {
            Ranges.require(PROCESSORS, processors, 1, PROCESSORS_MAX);
            number = processors;
        } else if (switchMicros != null) {
            throw new IllegalArgumentException(SWITCH + " means nothing without " + PROCESSORS);
        }
        if (agentsShare != null && number != 1) {
            throw new IllegalArgumentException(
                    AGENTS_SHARE + " means nothing without " + PROCESSORS + " 1");
        }
        return new ProcessorRules(
                number,
                costNanos(SWITCH, switchMicros),
                costNanos(ARRIVAL, arrivalMicros),
                costNanos(PREFETCH, prefetchMicros));
    }

    /** The delays of the machines. */
    public Delays delays(MachineModel model) {
        return agentsShare == null ? Delays.exact(model) : Delays.shared(model);
    }

    private static long costNanos(String option, @Nullable Long micros) {
        long given = micros == null ? 0 : micros;
        Ranges.require(option, given, 0, TimeUnit.SECONDS.toMicros(1));
        return TimeUnit.MICROSECONDS.toNanos(given);
    }
}
