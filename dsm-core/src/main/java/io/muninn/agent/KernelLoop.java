package io.muninn.agent;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.node.EffectPerformer;
import io.muninn.node.NodeKernel;
import io.muninn.node.PageStatistics;
import io.muninn.node.port.Tracer;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Effects;
import io.muninn.protocol.Event;
import io.muninn.protocol.Leaving;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Message;
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
    private final Failures failures;
    private final ArrayDeque<Event> results = new ArrayDeque<>();
    private final ArrayDeque<Event> outside = new ArrayDeque<>();
    private final List<Effect> effects = new ArrayList<>();
    private final Collector collector = new Collector();
    private final Traps traps;
    private final PageStatistics statistics;
    private final Tracer tracer;
    private final EffectPerformer performer;
    private final Consumer<PageId> twinMade =
            page -> stepWithResults(new Event.TwinMade(page, System.nanoTime()));
    private boolean joinsSteps = true;
    private boolean stepping;
    private boolean halted;

    /** What ends the node. The loop handles no event after either. */
    interface Failures {
        /** The node met a violation. */
        void onHalt(String description);

        /** A message has content that no node sends. */
        void onMalformed(NodeId from, String text);

        /** The application has stored to memory that is not its own. */
        void onBrokenMemory(BrokenMemoryException broken);
    }

    /**
     * @param traps of the application
     * @param statistics counts what happens to pages
     * @param failures ends the node
     */
    KernelLoop(
            NodeKernel kernel,
            EffectPerformer.Ports ports,
            Traps traps,
            PageStatistics statistics,
            Failures failures) {
        this.kernel = kernel;
        this.traps = traps;
        this.failures = failures;
        this.statistics = statistics;
        this.tracer = ports.tracer();
        this.performer = new EffectPerformer(ports, statistics, results::add);
    }

    /** As {@link EffectPerformer#joinNoSteps}. */
    void joinNoSteps() {
        joinsSteps = false;
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
            while (!outside.isEmpty() && !halted) {
                handleOne(outside.remove());
            }
        } finally {
            stepping = false;
        }
    }

    private void handleOne(Event event) {
        try {
            traps.beforeStep(event, twinMade);
            stepWithResults(event);
            traps.afterStep();
        } catch (MalformedMessageException malformed) {
            halted = true;
            if (event instanceof Event.MessageArrived(NodeId from, Message message, _)) {
                String kind = message.codec().name();
                failures.onMalformed(
                        from, "sent a malformed message: " + kind + ": " + malformed.getMessage());
            } else {
                failures.onHalt(recorder.describe(malformed));
            }
        } catch (BrokenMemoryException broken) {
            halted = true;
            failures.onBrokenMemory(broken);
        } catch (RuntimeException | Error cause) {
            halted = true;
            failures.onHalt(recorder.describe(cause));
        }
    }

    /** A page as its protocol sees it, for a person. */
    String describe(PageId page) {
        return kernel.describe(page);
    }

    /**
     * All results that there are go before their effects: these come in the same order, and their
     * own results behind, as if each were performed at once, and more of them are alike.
     */
    private void stepWithResults(Event event) {
        step(event);
        perform();
        while (!results.isEmpty()) {
            if (results.element().followsStores()) {
                traps.tellDirtied(this::stepTwinMade);
            }
            do {
                step(results.remove());
            } while (joinsSteps && !results.isEmpty() && !results.element().followsStores());
            perform();
        }
    }

    private void stepTwinMade(PageId page) {
        step(new Event.TwinMade(page, System.nanoTime()));
        perform();
    }

    private void step(Event event) {
        recorder.add(event);
        statistics.onEvent(event);
        kernel.step(event, collector);
    }

    private void perform() {
        collector.addCounts(); // first: whoever is resumed may read them
        performer.performAll(effects);
        effects.clear();
    }

    private final class Collector implements Effects {
        private final long[] counts = new long[Counter.values().length];
        private final List<Counter> counted = new ArrayList<>(); // those that are not 0

        @Override
        public void add(Effect effect) {
            effects.add(effect);
        }

        @Override
        public void count(Counter counter, long amount) {
            if (counts[counter.ordinal()] == 0) {
                counted.add(counter);
            }
            counts[counter.ordinal()] += amount;
        }

        private void addCounts() {
            for (Counter counter : counted) {
                tracer.count(counter, counts[counter.ordinal()]);
                counts[counter.ordinal()] = 0;
            }
            counted.clear();
        }

        @Override
        public void releasePerformed(Leaving leaving) {
            throw new IllegalStateException("the kernel hears of performed releases itself");
        }
    }
}
