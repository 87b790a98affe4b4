package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.ViewSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Event;
import io.muninn.spi.ReservedBarriers;
import io.muninn.spi.UpdateRules;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The work for one more variable does not depend on the number of variables. Work is measured in
 * allocated bytes: they are equal on every machine, and would show copies of all regions.
 */
class AllocationWorkTest {
    private static final int NODES = 2;
    private static final int MANY = 250;
    private static final ViewSpec WORDS = new ViewSpec("long[8]", 64, Long.BYTES);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final ManualCluster fixture = // no checkers, which scan all pages after each barrier
            new ManualCluster(
                    NODES,
                    1,
                    1,
                    1,
                    UpdateRules.PLAIN,
                    AdaptiveTwinRules.DEFAULT,
                    List.of(),
                    List.of());
    private final GrowingLayout layout = new GrowingLayout(Layout.EMPTY);

    /** The work of client, agents and kernels for an allocation, and a store of each node. */
    private void allocate() {
        int ordinal = layout.regions().size();
        String name = "variable " + ordinal;
        RegionSpec region = layout.next(name, WORDS, Protocol.WRITE_SHARED, Home.BANDED);
        layout.add(RegionSpec.parse(ordinal, region.toText()));
        BarrierId meeting =
                ReservedBarriers.allocation(
                        ordinal, name, WORDS.type(), Protocol.WRITE_SHARED, Home.BANDED);
        for (int node = 0; node < NODES; node++) {
            fixture.node(node).add(region);
            fixture.thread(node, 0).await(meeting, Event.ALL_PARTIES, ManualThread.FOR_EVER);
            fixture.thread(node, 0).store(new PageId(ordinal, 0), node, 1);
        }
        fixture.settle();
    }

    private long bytesOfMany() {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MANY; i++) {
            allocate();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void manyVariables_takeTheWorkOfThoseBefore() {
        allocate(); // classes are loaded

        long first = bytesOfMany();
        bytesOfMany();
        bytesOfMany();
        long fourth = bytesOfMany();

        assertTrue(
                fourth < first + first / 4,
                "bytes of the first " + MANY + ": " + first + ", of the fourth: " + fourth);
    }
}
