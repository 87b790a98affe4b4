package io.muninn.metrics;

import io.muninn.node.PageCount;
import io.muninn.protocol.Counter;
import java.util.Arrays;
import java.util.List;

/** How long threads of some nodes were stopped, by cause; in nanoseconds, summed over threads. */
record Blocked(List<NodeReport> nodes) {
    /** Every cause but pages, which are told apart by loads and stores. */
    static final List<Counter> OTHER_CAUSES =
            Arrays.stream(Counter.values())
                    .filter(counter -> counter.isTime() && counter != Counter.FAULT_NANOS)
                    .toList();

    static Blocked of(List<NodeReport> nodes) {
        return new Blocked(nodes);
    }

    /** At pages, by loads. */
    long loadNanos() {
        return sum(PageCount.READ_FAULT_NANOS);
    }

    /** At pages, by stores. */
    long storeNanos() {
        return sum(PageCount.WRITE_FAULT_NANOS);
    }

    long value(Counter counter) {
        return nodes.stream().mapToLong(node -> node.value(counter)).sum();
    }

    private long sum(PageCount count) {
        return nodes.stream()
                .flatMap(node -> node.regions().stream())
                .mapToLong(counts -> counts.total(count))
                .sum();
    }
}
