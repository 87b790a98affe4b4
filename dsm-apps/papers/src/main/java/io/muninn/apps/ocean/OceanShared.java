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
import io.muninn.apps.ThreadGrid;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * OCEAN over shared memory: a barrier ends each loop over a grid.
 *
 * <p>With prefetches a thread asks for what a loop looks at beside its part, some rows ahead. Of
 * the threads of a node only the first that comes to a page asks for it.
 *
 * <p>Source: Mowry §3.2 (software pipelining), §5.1 (the first thread).
 */
final class OceanShared implements DsmProgram {
    /** Of most machines. Who asks for a page twice loses time only. */
    private static final int PAGE_BYTES = 4096;

    private final OceanSize size;
    private final Prefetching prefetching;

    /** By name of a grid. */
    private final Map<String, FirstThread> first = new ConcurrentHashMap<>();

    /** Of the root's first thread, from the run on. */
    private List<OceanGrid> results = List.of();

    OceanShared(OceanSize size, Prefetching prefetching) {
        this.size = size;
        this.prefetching = prefetching;
    }

    @Override
    public void run(DsmNode node) {
        ThreadGrid threads = ThreadGrid.of(node.positions());
        OceanRun run =
                new OceanRun(
                        size,
                        node,
                        node.position(),
                        node.positions(),
                        new Barriers(node, threads),
                        (name, cells) -> grid(node, threads, name, cells));
        run.run();
        if (node.position() == 0) {
            results = run.results();
        }
    }

    private static OceanGrid grid(DsmNode node, ThreadGrid threads, String name, int cells) {
        return new OceanGrid(
                cells,
                threads,
                (rows, columns) ->
                        node.allocate(name, DoubleMatrix.of(rows, columns), Protocol.LAZY));
    }

    /** A thread's barriers and prefetches. */
    private final class Barriers implements OceanRun.Links {
        private final DsmBarrier changed;
        private final DsmBarrier compared;
        private final ThreadGrid threads;
        private final int position;

        /** Of loops. */
        private int count;

        Barriers(DsmNode node, ThreadGrid threads) {
            changed = node.barrier("changed");
            compared = node.barrier("compared");
            this.threads = threads;
            position = node.position();
        }

        @Override
        public void changed(OceanGrid... grids) {
            changed.await();
        }

        @Override
        public double max(double mine) {
            return compared.awaitMax(mine);
        }

        @Override
        public void begin() {
            count++;
        }

        @Override
        public void come(OceanGrid read, int level, int row) {
            int scale = size.cells(level) / read.cells();
            if (!prefetching.isOn() || scale == 0) { // a finer grid is read within the part
                return;
            }
            Band rows = threads.rowsOf(position, read.cells());
            int here = row / scale;
            int ahead = here + prefetching.distance();
            boolean isFirst = row == threads.rowsOf(position, size.cells(level)).from();
            for (int i = isFirst ? here - 1 : ahead; i <= Math.min(ahead, rows.to()); i++) {
                ask(read, i, !rows.contains(i));
            }
        }

        /** Prefetches the cells of a row that other threads store, beside or beyond this part. */
        private void ask(OceanGrid read, int row, boolean isBeyond) {
            Band columns = threads.columnsOf(position, read.cells());
            ask(read, row, columns.from() - 1);
            if (isBeyond) {
                ask(read, row, columns.from());
            }
            ask(read, row, columns.to());
        }

        private void ask(OceanGrid read, int row, int column) {
            int last = read.cells() - 1;
            if (row < 0 || row > last || column < 0 || column > last) {
                return;
            }
            DoubleMatrix parts = read.parts();
            int at = read.rowOfParts(row, column);
            int pages = page(parts, parts.rows() - 1) + 1;
            FirstThread ofPages =
                    first.computeIfAbsent(parts.name(), name -> new FirstThread(pages));
            if (ofPages.isFirst(page(parts, at), count)) {
                parts.prefetchRow(at);
            }
        }

        /** The page on which a row begins. */
        private static int page(DoubleMatrix parts, int row) {
            return (int) ((long) row * parts.columns() * Double.BYTES / PAGE_BYTES);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return OceanOracle.verify(size, root, OceanRun.values(results));
    }
}
