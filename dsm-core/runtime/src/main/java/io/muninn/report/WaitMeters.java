package io.muninn.report;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.ObjectId;
import io.muninn.waits.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * What a node's threads wait for, as meters: histograms of the times of faults, by variable, and of
 * calls, by cause, the number of threads that wait now, and the locks that threads hold now.
 *
 * <p><b>Threads.</b> Waits begin and end on one thread; any thread may read meters.
 */
public final class WaitMeters implements MeterBinder, Consumer<Wait> {
    private static final String NODE = "node";
    private static final String CAUSE = "cause";
    private static final int HOLDERS_MAX = 64; // rows; a program may have thousands of locks

    private static final Duration[] BOUNDS =
            Arrays.stream(new long[] {10, 30, 100, 300, 1_000, 3_000, 10_000, 100_000, 1_000_000})
                    .mapToObj(micros -> Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(micros)))
                    .toArray(Duration[]::new);

    private final int node;
    private final AtomicIntegerArray waiting = new AtomicIntegerArray(WaitKind.COUNT);
    private final Map<WaitKind, Timer> calls = new EnumMap<>(WaitKind.class);
    private final Map<List<Object>, Timer> faults = new HashMap<>(); // by region and kind
    private final AtomicInteger held = new AtomicInteger();
    private Optional<MultiGauge> holders = Optional.empty(); // before it is bound
    private Optional<MeterRegistry> registry = Optional.empty(); // the same
    private IntFunction<RegionSpec> regions =
            index -> {
                throw new IllegalStateException("region " + index + " before any is declared");
            };

    /**
     * A lock that a thread holds.
     *
     * @param thread of the node
     */
    public record Holder(int thread, Hold hold) {}

    /**
     * @param node the node's id
     */
    public WaitMeters(int node) {
        this.node = node;
    }

    @Override
    public void bindTo(MeterRegistry to) {
        registry = Optional.of(to);
        Gauge.builder("muninn.locks.held", held, AtomicInteger::get)
                .description("Locks that threads of the node hold now, once for each thread")
                .tags(NODE, Integer.toString(node))
                .register(to);
        holders =
                Optional.of(
                        MultiGauge.builder("muninn.lock.holder")
                                .description(
                                        "1 for each lock that a thread holds now, up to "
                                                + HOLDERS_MAX)
                                .register(to));
        for (WaitKind kind : WaitKind.values()) {
            if (kind != WaitKind.IDLE) {
                Gauge.builder("muninn.waiters", waiting, all -> all.get(kind.ordinal()))
                        .description("Threads that wait now")
                        .tags(NODE, Integer.toString(node), CAUSE, kind.word())
                        .register(to);
            }
        }
    }

    /** Sets the regions by index, before the first wait at a page. */
    public void use(IntFunction<RegionSpec> all) {
        regions = all;
    }

    /** Replaces the locks that threads hold. Called by one thread at a time. */
    public void hold(List<Holder> now) {
        held.set(now.size());
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        for (Holder each : now.subList(0, Math.min(now.size(), HOLDERS_MAX))) {
            String lock = each.hold().lock();
            Tags tags =
                    Tags.of(
                            NODE,
                            Integer.toString(node),
                            "thread",
                            Integer.toString(each.thread()),
                            "lock",
                            ObjectId.isTurn(lock) ? "object " + ObjectId.ofTurn(lock) : lock,
                            "mode",
                            each.hold().mode().name().toLowerCase(Locale.ROOT));
            rows.add(MultiGauge.Row.of(tags, 1));
        }
        holders.ifPresent(gauge -> gauge.register(rows, true));
    }

    /** A thread begins to wait. */
    public void begin(WaitKind kind) {
        waiting.incrementAndGet(kind.ordinal());
    }

    @Override
    public void accept(Wait wait) {
        waiting.decrementAndGet(wait.kind().ordinal());
        registry.ifPresent(to -> timer(wait, to).record(wait.nanos(), TimeUnit.NANOSECONDS));
    }

    private Timer timer(Wait wait, MeterRegistry to) {
        return wait.page()
                .map(page ->
                        faults.computeIfAbsent(
                                List.of(page.region(), wait.kind()),
                                _ -> ofPages(regions.apply(page.region()), wait.kind(), to)))
                .orElseGet(() -> calls.computeIfAbsent(wait.kind(), kind -> ofCalls(kind, to)));
    }

    private Timer ofPages(RegionSpec region, WaitKind kind, MeterRegistry to) {
        return Timer.builder("muninn.fault.duration")
                .description("How long threads were stopped at pages")
                .tags(tags(kind))
                .tags("variable", region.name(), "protocol", region.protocol().word())
                .serviceLevelObjectives(BOUNDS)
                .register(to);
    }

    private Timer ofCalls(WaitKind kind, MeterRegistry to) {
        return Timer.builder("muninn.wait.duration")
                .description("How long threads waited for the answer of a call")
                .tags(tags(kind))
                .serviceLevelObjectives(BOUNDS)
                .register(to);
    }

    private Tags tags(WaitKind kind) {
        return Tags.of(NODE, Integer.toString(node), CAUSE, kind.word());
    }
}
