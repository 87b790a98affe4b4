package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.io.IOException;
import java.util.List;

/** Measures faults of nodes that address a pool. */
final class PoolRuns {
    static final String PREFIX = "pool-";

    private static final int NODES = 2;

    private final LiveRuns live;

    PoolRuns(LiveRuns live) {
        this.live = live;
    }

    List<Measured> run(Placement placement) throws IOException, InterruptedException {
        List<String> operations = List.of(PREFIX + "read", PREFIX + "write");
        return live.run(placement.prefix(), NODES, Group.POOL, operations, List.of("--pool"));
    }
}
