package io.muninn.agent;

import io.muninn.model.PageId;
import io.muninn.node.EffectPerformer;
import io.muninn.node.NodeKernel;
import io.muninn.node.PageStatistics;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Effects;
import io.muninn.protocol.Event;
import io.muninn.protocol.Leaving;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Steps the kernel and performs its effects, one outside event at a time; the results of effects
 * are stepped before the next.
 *
 * <p><b>Threads.</b> The agent's event loop: the only caller of the kernel, so the kernel needs no
 * lock.
 */
final class KernelLoop {
    private final NodeKernel kernel;
    private final FlightRecorder recorder = new FlightRecorder();
    private final Consumer<String> halt;
    private final ArrayDeque<Event> results = new ArrayDeque<>();
    private final ArrayDeque<Event> outside = new ArrayDeque<>();
    private final List<Effect> effects = new ArrayList<>();
    private final Effects collector = new Collector();
    private final Traps traps;
    private final PageStatistics statistics;
    private final EffectPerformer performer;
    private final Consumer<PageId> twinMade =
            page -> stepWithResults(new Event.TwinMade(page, System.nanoTime()));
    private boolean stepping;
    private boolean halted;

    /**
     * @param traps of the application
     * @param statistics counts what happens to pages
     * @param halt ends the node; hears why
     */
    KernelLoop(
            NodeKernel kernel,
            EffectPerformer.Ports ports,
            Traps traps,
            PageStatistics statistics,
            Consumer<String> halt) {
        this.kernel = kernel;
        this.traps = traps;
        this.halt = halt;
        this.statistics = statistics;
        this.performer = new EffectPerformer(ports, statistics, results::add);
    }

    /** As {@link EffectPerformer#joinNoSteps}. */
    void joinNoSteps() {
        performer.joinNoSteps();
    }

    /**
     * Handles one outside event. Called by faults, connections and timers, on the event loop. One
     * that an effect itself causes, such as a loss noticed in sending, waits for its turn.
     */
    void handle(Event event) {
        outside.add(event);
        if (stepping || halted) {
            return;
        }
        stepping = true;
        try {
            while (!outside.isEmpty()) {
                Event next = outside.remove();
                traps.beforeStep(next, twinMade);
                stepWithResults(next);
                traps.afterStep();
            }
        } catch (RuntimeException | Error cause) {
            halted = true;
            halt.accept(recorder.describe(cause));
        } finally {
            stepping = false;
        }
    }

    /** A page as its protocol sees it, for a person. */
    String describe(PageId page) {
        return kernel.describe(page);
    }

    private void stepWithResults(Event event) {
        stepAndPerform(event);
        while (!results.isEmpty()) {
            stepAndPerform(results.remove());
        }
    }

    private void stepAndPerform(Event event) {
        recorder.add(event);
        statistics.onEvent(event);
        effects.clear();
        kernel.step(event, collector);
        performer.performAll(effects);
    }

    private final class Collector implements Effects {
        @Override
        public void add(Effect effect) {
            effects.add(effect);
        }

        @Override
        public void releasePerformed(Leaving leaving) {
            throw new IllegalStateException("the kernel hears of performed releases itself");
        }
    }
}
