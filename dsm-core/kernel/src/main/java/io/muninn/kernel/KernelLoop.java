package io.muninn.kernel;

import io.muninn.directory.PageSnapshot;
import io.muninn.kernel.port.Tracer;
import io.muninn.kernel.port.Traps;
import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.EffectSink;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.PageLoads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Steps a kernel and performs its effects, one outside event at a time. Agents, the simulator and
 * tests all run this loop, so they share one order.
 *
 * <p><b>Order.</b> The results of effects are stepped before the next outside event, first in,
 * first out. Steps every pending result first, then performs all their effects in order. This is
 * equivalent to performing one result at a time, but neighbouring effects of a kind are batched. A
 * result that {@linkplain Event#followsTraps follows traps} begins a batch of its own, and is
 * stepped after what traps have done. Counts are not effects: they are added before the effects of
 * their batch, because a resumed thread may read them.
 *
 * <p><b>Errors.</b> An exception of the kernel or of a port ends the loop: the {@link Observer}
 * receives it, and no later event is handled.
 *
 * <p><b>Threads.</b> One caller at a time.
 */
public final class KernelLoop {
    /** Observes the loop. */
    public interface Observer {
        /** Called before an event is stepped. */
        default void stepping(Event event) {}

        /**
         * Called after an event has been stepped; its effects, without counts, are not performed
         * yet.
         */
        default void stepped(Event event, List<Effect> effects) {}

        /**
         * Called after an outside event has been handled.
         *
         * @param effects of all its steps, in order; valid during the call
         */
        default void handled(Event outside, List<Effect> effects) {}

        /**
         * Called when the loop cannot continue.
         *
         * @param outside the event that was being handled
         */
        void failed(Event outside, Throwable cause);
    }

    private final NodeKernel kernel;
    private final Traps traps;
    private final PageStatistics statistics;
    private final Tracer tracer;
    private final Observer observer;
    private final EffectPerformer performer;
    private final LongSupplier nanoTime;
    private final ArrayDeque<Event> outside = new ArrayDeque<>();
    private final ArrayDeque<Event> results = new ArrayDeque<>();
    private final List<Effect> effects = new ArrayList<>(); // of the current outside event
    private final List<Effect> effectsView = Collections.unmodifiableList(effects);
    private final Collector collector = new Collector();
    private final Traps.Listener listener = new Listener(this::stepWithResults);
    // only collects results: they are already being stepped
    private final Traps.Listener listenerWithin =
            new Listener(event -> {
                step(event);
                perform();
            });
    private int performed; // number of performed effects
    private boolean stepping;
    private boolean failed;

    /**
     * @param traps of the application
     * @param nanoTime the time of occurrences within a step: what traps do, holds that end
     * @param statistics counts the operations on pages
     */
    public KernelLoop(
            NodeKernel kernel,
            EffectPerformer.Ports ports,
            Traps traps,
            LongSupplier nanoTime,
            PageStatistics statistics,
            Observer observer) {
        this.kernel = kernel;
        this.traps = traps;
        this.statistics = statistics;
        this.tracer = ports.tracer();
        this.observer = observer;
        this.performer = new EffectPerformer(ports, statistics, nanoTime, results::add);
        this.nanoTime = nanoTime;
    }

    /** True while an event is being handled. */
    public boolean isStepping() {
        return stepping;
    }

    /**
     * Handles one outside event. An event caused by an effect, such as a loss noticed while
     * sending, is queued until the current one is handled.
     */
    public void handle(Event event) {
        outside.add(event);
        if (stepping || failed) {
            return;
        }
        stepping = true;
        try {
            while (!outside.isEmpty() && !failed) {
                handleOne(outside.remove());
            }
        } finally {
            stepping = false;
        }
    }

    private void handleOne(Event event) {
        try {
            traps.beforeStep(event, listener);
            stepWithResults(event);
            traps.afterStep(listener);
        } catch (RuntimeException | Error cause) {
            failed = true;
            observer.failed(event, cause);
            return;
        }
        observer.handled(event, effectsView);
        effects.clear();
        performed = 0;
    }

    /** A page as its protocol sees it, for messages. */
    public String describe(PageId page) {
        return kernel.describe(page);
    }

    /** A page as this node sees it now. */
    public PageSnapshot snapshot(PageId page) {
        return kernel.snapshot(page);
    }

    private void stepWithResults(Event event) {
        step(event);
        perform();
        while (!results.isEmpty()) {
            if (results.element().followsTraps()) {
                traps.report(listenerWithin);
            }
            do {
                step(results.remove());
            } while (!results.isEmpty() && !results.element().followsTraps());
            perform();
        }
    }

    private void step(Event event) {
        observer.stepping(event);
        statistics.onEvent(event);
        int first = effects.size();
        kernel.step(event, collector);
        observer.stepped(event, effects.subList(first, effects.size()));
    }

    private void perform() {
        collector.addCounts();
        int from = performed;
        performed = effects.size();
        performer.performAll(effects, from, performed);
    }

    /** Steps what traps have done. */
    private final class Listener implements Traps.Listener {
        private final Consumer<Event> steps;

        Listener(Consumer<Event> steps) {
            this.steps = steps;
        }

        @Override
        public void twinMade(MappingId mapping, PageId page) {
            steps.accept(new Event.TwinMade(mapping, page, nanoTime.getAsLong()));
        }

        @Override
        public void entered(MappingId mapping, PageId page, boolean isChecked) {
            steps.accept(new Event.PageEntered(mapping, page, isChecked, nanoTime.getAsLong()));
        }

        @Override
        public void loaded(List<PageLoads> loads) {
            steps.accept(new Event.Loaded(loads));
        }
    }

    private final class Collector implements EffectSink {
        private final long[] counts = new long[NodeCounter.values().length];
        private final List<NodeCounter> counted = new ArrayList<>(); // those that are not 0

        @Override
        public void add(Effect effect) {
            effects.add(effect);
        }

        @Override
        public void count(NodeCounter counter, long amount) {
            if (counts[counter.ordinal()] == 0) {
                counted.add(counter);
            }
            counts[counter.ordinal()] += amount;
        }

        private void addCounts() {
            for (NodeCounter counter : counted) {
                tracer.count(counter, counts[counter.ordinal()]);
                counts[counter.ordinal()] = 0;
            }
            counted.clear();
        }
    }
}
