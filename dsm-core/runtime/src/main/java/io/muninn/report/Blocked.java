package io.muninn.report;

import io.muninn.kernel.PageCount;
import io.muninn.spi.NodeCounter;
import java.util.Arrays;
import java.util.List;

/** How long threads of some nodes were stopped, by cause; in nanoseconds, summed over threads. */
record Blocked(List<NodeReport> nodes) {
    /** Every cause but pages, which are told apart by loads and stores. */
    static final List<NodeCounter> OTHER_CAUSES =
            Arrays.stream(NodeCounter.values())
                    .filter(counter -> counter.isTime() && counter != NodeCounter.FAULT_NANOS)
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

    long value(NodeCounter counter) {
        return nodes.stream().mapToLong(node -> node.value(counter)).sum();
    }

    private long sum(PageCount count) {
        return nodes.stream()
                .flatMap(node -> node.regions().stream())
                .mapToLong(counts -> counts.total(count))
                .sum();
    }
}
