package io.muninn.apps.ocean;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Verdict;
import io.muninn.apps.FirstThread;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SameBits;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * OCEAN over shared memory: a barrier ends each loop over a grid.
 *
 * <p>With prefetches a thread asks for rows of the grid that a loop looks at, some rows ahead. Of
 * the threads of a node only the first that comes to a row asks for it.
 *
 * <p>Source: Mowry §3.2 (software pipelining), §5.1 (the first thread).
 */
final class OceanShared implements DsmProgram {
    private final OceanSize size;
    private final Prefetching prefetching;

    /** By name of a grid. */
    private final Map<String, FirstThread> first = new ConcurrentHashMap<>();

    /** Of the root's first thread, from the run on. */
    private DoubleMatrix[] results = {};

    OceanShared(OceanSize size, Prefetching prefetching) {
        this.size = size;
        this.prefetching = prefetching;
    }

    @Override
    public void run(DsmNode node) {
        OceanRun run =
                new OceanRun(
                        size,
                        node,
                        node.position(),
                        node.positions(),
                        new Barriers(node),
                        (name, cells) ->
                                node.allocate(name, DoubleMatrix.of(cells, cells), Protocol.LAZY));
        run.run();
        if (node.position() == 0) {
            results = run.results();
        }
    }

    /** A thread's barriers and prefetches. */
    private final class Barriers implements OceanRun.Links {
        private final DsmBarrier changed;
        private final DsmBarrier compared;

        /** Of loops. */
        private int count;

        Barriers(DsmNode node) {
            changed = node.barrier("changed");
            compared = node.barrier("compared");
        }

        @Override
        public void changed(DoubleMatrix... matrices) {
            changed.await();
        }

        @Override
        public double max(double mine) {
            return compared.awaitMax(mine);
        }

        @Override
        public void begin(DoubleMatrix matrix) {
            count++;
        }

        @Override
        public void come(DoubleMatrix matrix, int row, Band rows) {
            if (!prefetching.isOn()) {
                return;
            }
            int ahead = row + prefetching.distance();
            for (int i = row == rows.from() ? row - 1 : ahead;
                    i <= Math.min(ahead, rows.to());
                    i++) {
                if (i >= 0 && i < matrix.rows() && isFirst(matrix, i)) {
                    matrix.prefetchRow(i);
                }
            }
        }

        private boolean isFirst(DoubleMatrix matrix, int row) {
            return first.computeIfAbsent(matrix.name(), name -> new FirstThread(matrix.rows()))
                    .isFirst(row, count);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return OceanOracle.verify(size, root, SameBits.of(results));
    }
}
