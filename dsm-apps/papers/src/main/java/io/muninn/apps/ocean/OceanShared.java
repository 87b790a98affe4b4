package io.muninn.apps.ocean;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Verdict;
import io.muninn.apps.FirstThread;
import io.muninn.apps.Prefetching;
import io.muninn.apps.ThreadGrid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * OCEAN over shared memory: a barrier ends each loop over a grid, and threads join numbers under a
 * lock.
 *
 * <p>With prefetches a thread asks for what a loop looks at beside its part: before the barrier at
 * which the loop begins, if no thread stores to that any more, and else some rows ahead. Of the
 * threads of a node only the first that comes to a page asks for it.
 *
 * <p>Source: Mowry §3.2 (software pipelining), §3.3 (prefetches before barriers), §5.1 (the first
 * thread).
 */
final class OceanShared implements DsmProgram {
    /** Of most machines. Who asks for a page twice loses time only. */
    private static final int PAGE_BYTES = 4096;

    private final OceanSize size;
    private final Prefetching prefetching;

    /** By name of a grid. */
    private final Map<String, FirstThread> first = new ConcurrentHashMap<>();

    /** Of the root's first thread, from the run on. */
    private Optional<OceanRun> done = Optional.empty();

    OceanShared(OceanSize size, Prefetching prefetching) {
        this.size = size;
        this.prefetching = prefetching;
    }

    @Override
    public void run(DsmNode node) {
        ThreadGrid threads = ThreadGrid.of(node.positions());
        OceanLinks links = new Barriers(node, threads);
        OceanLoops loops = new OceanLoops(size, node, node.position(), node.positions(), links);
        OceanRun run =
                new OceanRun(
                        size,
                        loops,
                        new OceanCells(OceanCells.CENTRE),
                        (name, cells) -> grid(node, threads, name, cells));
        run.run();
        if (node.position() == 0) {
            done = Optional.of(run);
        }
    }

    private OceanGrid grid(DsmNode node, ThreadGrid threads, String name, int cells) {
        return OceanGrid.of(
                size.layout(),
                cells,
                threads,
                (rows, columns) ->
                        node.allocate(name, DoubleMatrix.of(rows, columns), Protocol.LAZY));
    }

    /** A number of all threads: as far as they have joined, and how many have. */
    private record Total(DsmLock lock, LongArray number) {
        static Total of(DsmNode node, String name) {
            return new Total(node.lock(name), node.allocate(name, LongArray.of(2), Protocol.LAZY));
        }

        /** The first thread that comes ends the number before, which all threads have loaded. */
        void add(OceanLinks.Join join, long mine, int positions) {
            lock.lock();
            try {
                long count = number.get(1) % positions;
                number.set(0, count == 0 ? mine : join.of(number.get(0), mine));
                number.set(1, count + 1);
            } finally {
                lock.unlock();
            }
        }
    }

    /** A thread's barriers and prefetches. */
    private final class Barriers implements OceanLinks {
        private final DsmBarrier changed;
        private final Total most;
        private final Total sum;
        private final ThreadGrid threads;
        private final int position;
        private final int positions;

        /** Of loops. */
        private int count;

        Barriers(DsmNode node, ThreadGrid threads) {
            changed = node.barrier("changed");
            most = Total.of(node, "most");
            sum = Total.of(node, "sum");
            positions = node.positions();
            this.threads = threads;
            position = node.position();
        }

        @Override
        public void changed(List<OceanGrid> grids) {
            changed.await();
        }

        @Override
        public long all(Join join, long mine, List<OceanGrid> grids) {
            Total total = join == Join.SUM ? sum : most;
            total.add(join, mine, positions);
            changed.await();
            return total.number().get(0);
        }

        @Override
        public void soon(List<OceanGrid> grids) {
            if (!prefetching.isOn()) {
                return;
            }
            count++;
            for (OceanGrid grid : grids) {
                Band rows = threads.rowsOf(position, grid.cells());
                for (int row = rows.from() - 1; row <= rows.to(); row++) {
                    ask(grid, row, !rows.contains(row));
                }
            }
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
            if (columns.isEmpty()) {
                return;
            }
            ask(read, row, columns.from() - 1);
            if (isBeyond) {
                ask(read, row, columns.from());
                ask(read, row, columns.to() - 1);
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
            int pages = page(parts, parts.rows() - 1, parts.columns() - 1) + 1;
            FirstThread ofPages =
                    first.computeIfAbsent(parts.name(), name -> new FirstThread(pages));
            if (ofPages.isFirst(page(parts, at, read.columnOfParts(column)), count)) {
                parts.prefetchRow(at);
            }
        }

        private static int page(DoubleMatrix parts, int row, int column) {
            return (int) (((long) row * parts.columns() + column) * Double.BYTES / PAGE_BYTES);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return OceanOracle.verify(size, root, done.orElseThrow().values());
    }
}
