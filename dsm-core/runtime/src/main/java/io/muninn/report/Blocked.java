package io.muninn.report;

import io.muninn.kernel.PageCount;
import io.muninn.spi.NodeCounter;
import java.util.Arrays;
import java.util.List;

/**
 * The time for which threads of some nodes were blocked, by cause, in nanoseconds, summed over
 * threads.
 */
record Blocked(List<NodeReport> nodes) {
    /** Every cause except pages, for which loads and stores are reported separately. */
    static final List<NodeCounter> OTHER_CAUSES =
            Arrays.stream(NodeCounter.values())
                    .filter(counter -> counter.isWait() && counter != NodeCounter.FAULT_NANOS)
                    .toList();

    static Blocked of(List<NodeReport> nodes) {
        return new Blocked(nodes);
    }

    /** Time blocked at pages by loads. */
    long loadNanos() {
        return sum(PageCount.READ_FAULT_NANOS);
    }

    /** Time blocked at pages by stores. */
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
