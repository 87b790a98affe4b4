package io.muninn.sim.ncc;

import io.muninn.api.Verdict;
import io.muninn.api.spi.Layout;
import io.muninn.sim.app.Abandoned;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The machine of one run: its processors, what they share, and the course of the run.
 *
 * <p><b>Threads.</b> The one that runs the simulation, and the processor that has the turn.
 */
final class Machine {
    private final Hardware hardware;
    private final Timeline timeline;
    private final List<NccProcessor> processors = new ArrayList<>();
    private final Coherence coherence;
    private final List<NccProcessor> met = new ArrayList<>(); // at a meeting outside of time
    private boolean isTimed;
    private Optional<Verdict> verdict = Optional.empty();
    private Optional<NccResult> result = Optional.empty();
    private @Nullable Throwable failure; // null unless a program has failed

    /** The code of a node. */
    interface Code {
        void run(int node) throws Throwable;
    }

    Machine(
            NccModel model,
            NccProtocol protocol,
            WritePolicy policy,
            Layout layout,
            int nodes,
            long seed,
            Code code) {
        hardware = new Hardware(model, nodes);
        timeline = new Timeline(model.quantum());
        for (int i = 0; i < nodes; i++) {
            int node = i;
            processors.add(new NccProcessor(i, model, timeline, () -> run(code, node)));
        }
        Homes homes = new Homes(layout, nodes);
        coherence =
                switch (protocol) {
                    case SEQUENTIAL -> new SinglePages(policy, hardware, homes, processors, seed);
                    case HARDWARE_SEQUENTIAL -> new Directory(false, hardware, homes, processors);
                    case HARDWARE_RELEASE -> new Directory(true, hardware, homes, processors);
                    default -> new WeakPages(protocol, policy, hardware, homes, processors, seed);
                };
    }

    private void run(Code code, int node) {
        try {
            code.run(node);
        } catch (Abandoned gone) {
            throw gone;
        } catch (Throwable cause) {
            failure = failure == null ? cause : failure;
            timeline.stop();
        }
    }

    Hardware hardware() {
        return hardware;
    }

    Timeline timeline() {
        return timeline;
    }

    Coherence coherence() {
        return coherence;
    }

    int nodes() {
        return processors.size();
    }

    /** False during initialization and verification. */
    boolean isTimed() {
        return isTimed;
    }

    /**
     * The processor that has the turn.
     *
     * @throws IllegalStateException if the caller is not its thread
     */
    NccProcessor current() {
        NccProcessor running = timeline.running();
        if (running == null || running.javaThread() != Thread.currentThread()) {
            throw new IllegalStateException(
                    "thread "
                            + Thread.currentThread().getName()
                            + " is no thread of this machine: only the program's own threads may"
                            + " use shared variables and services");
        }
        return running;
    }

    /** Waits until all processors have come here; the last one does something first. */
    void meet(Runnable last) {
        NccProcessor by = current();
        if (met.size() < nodes() - 1) {
            met.add(by);
            by.suspend();
            return;
        }
        last.run();
        List<NccProcessor> all = List.copyOf(met);
        met.clear();
        all.forEach(each -> timeline.wake(each, by));
    }

    /** All nodes are initialized: the timed part begins. */
    void begin() {
        meet(() -> {
            processors.forEach(NccProcessor::begin);
            isTimed = true;
        });
    }

    /** The timed part of a processor ends. */
    void end() {
        meet(() -> {
            isTimed = false;
            List<NccResult.Processor> counts =
                    processors.stream().map(NccProcessor::counts).toList();
            long cycles = processors.stream().mapToLong(NccProcessor::now).max().orElseThrow();
            result = Optional.of(new NccResult(Verdict.unchecked(), cycles, counts));
        });
    }

    void concluded(Verdict found) {
        verdict = Optional.of(found);
    }

    /**
     * Runs all processors to their end.
     *
     * @throws Throwable that a program has thrown
     * @throws IllegalStateException if processors wait for ever
     */
    NccResult run() throws Throwable {
        processors.forEach(timeline::add);
        try {
            timeline.run();
            if (failure != null) {
                throw failure;
            }
            List<NccProcessor> waiting =
                    processors.stream().filter(each -> !each.isEnded()).toList();
            if (!waiting.isEmpty()) {
                throw new IllegalStateException(
                        "processors wait for ever: "
                                + waiting.stream()
                                        .map(each -> Integer.toString(each.id()))
                                        .collect(Collectors.joining(", ")));
            }
        } finally {
            processors.stream().filter(each -> !each.isEnded()).forEach(NccProcessor::abandon);
        }
        NccResult timed = result.orElseThrow();
        return new NccResult(
                verdict.orElse(Verdict.unchecked()), timed.cycles(), timed.processors());
    }
}
