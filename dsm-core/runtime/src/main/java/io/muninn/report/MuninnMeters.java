package io.muninn.report;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.muninn.spi.NodeCounter;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A node's counters as meters, one per {@link NodeCounter}, with the tag {@code node}. Each reading
 * returns the current value; times are in seconds.
 */
public final class MuninnMeters implements MeterBinder {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final String NODE = "node";

    private final int node;
    private final ToLongFunction<NodeCounter> values;

    /**
     * @param node the node's id
     * @param values returns the live value of a counter; called from the thread that reads a meter
     */
    public MuninnMeters(int node, ToLongFunction<NodeCounter> values) {
        this.node = node;
        this.values = values;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        for (NodeCounter counter : NodeCounter.values()) {
            // A registry refers to the object weakly: the constant stays reachable, this binder
            // might not.
            FunctionCounter.builder(counter.meter(), counter, this::value)
                    .description(counter.description())
                    .baseUnit(unit(counter))
                    .tag(NODE, Integer.toString(node))
                    .register(registry);
        }
    }

    private double value(NodeCounter counter) {
        long value = values.applyAsLong(counter);
        return counter.isTime() ? value / NANOS_PER_SECOND : value;
    }

    /** Null for plain numbers: the library appends even an empty unit to the name. */
    private static @Nullable String unit(NodeCounter counter) {
        if (counter.isTime()) {
            return "seconds";
        }
        return counter == NodeCounter.BYTES || counter == NodeCounter.BYTES_AGAIN
                ? BaseUnits.BYTES
                : null;
    }
}
