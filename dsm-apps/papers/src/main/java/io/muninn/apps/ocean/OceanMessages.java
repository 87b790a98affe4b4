package io.muninn.apps.ocean;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import io.muninn.apps.ThreadGrid;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * OCEAN with messages: each thread has memory for whole grids, of which its part and the cells
 * around that are right.
 */
final class OceanMessages implements OceanLinks {
    private final DsmNode node;
    private final Exchange exchange;
    private final ThreadGrid threads;

    private OceanMessages(DsmNode node) {
        this.node = node;
        exchange = new Exchange(node);
        threads = ThreadGrid.of(node.positions());
    }

    static double[] run(OceanSize size, DsmNode node) {
        OceanMessages links = new OceanMessages(node);
        OceanLoops loops = new OceanLoops(size, node, node.position(), node.positions(), links);
        OceanRun run =
                new OceanRun(
                        size,
                        loops,
                        new OceanCells(OceanCells.CENTRE),
                        (name, cells) -> OceanGrid.local(cells));
        run.run();
        for (OceanGrid grid : run.results()) {
            links.collect(grid);
        }
        return node.position() == 0 ? run.values() : new double[0];
    }

    /** Cells of a grid. */
    private record Part(Band rows, Band columns) {
        double[] load(OceanGrid grid) {
            double[] values = new double[rows.length() * columns.length()];
            for (int i = 0; i < values.length; i++) {
                values[i] = grid.get(row(i), column(i));
            }
            return values;
        }

        void store(OceanGrid grid, double[] values) {
            for (int i = 0; i < values.length; i++) {
                grid.set(row(i), column(i), values[i]);
            }
        }

        private int row(int i) {
            return rows.from() + i / columns.length();
        }

        private int column(int i) {
            return columns.from() + i % columns.length();
        }
    }

    /** The part of a thread. */
    private Part part(int position, int cells) {
        return new Part(threads.rowsOf(position, cells), threads.columnsOf(position, cells));
    }

    /** The cells that a thread sends to another: those beside or in the part of the other. */
    private Part given(int from, int to, int cells) {
        Part mine = part(from, cells);
        Part other = part(to, cells);
        return new Part(near(mine.rows(), other.rows()), near(mine.columns(), other.columns()));
    }

    private static Band near(Band mine, Band other) {
        int from = Math.max(mine.from(), other.from() - 1);
        return new Band(from, Math.max(from, Math.min(mine.to(), other.to() + 1)));
    }

    @Override
    public void changed(List<OceanGrid> grids) {
        int self = node.position();
        for (OceanGrid grid : grids) {
            MemorySegment[] out = new MemorySegment[node.positions()];
            double[][] in = new double[out.length][];
            for (int other = 0; other < out.length; other++) {
                out[other] = MemorySegment.ofArray(given(self, other, grid.cells()).load(grid));
                Part theirs = given(other, self, grid.cells());
                in[other] = new double[theirs.rows().length() * theirs.columns().length()];
            }
            exchange.swap(out, parts(in));
            for (int other = 0; other < out.length; other++) {
                given(other, self, grid.cells()).store(grid, in[other]);
            }
        }
    }

    @Override
    public long all(Join join, long mine, List<OceanGrid> grids) {
        changed(grids);
        long[][] in = new long[node.positions()][1];
        MemorySegment[] each =
                Arrays.stream(in).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
        exchange.share(MemorySegment.ofArray(new long[] {mine}), each);
        return Arrays.stream(in).mapToLong(one -> one[0]).reduce(join::of).orElseThrow();
    }

    private void collect(OceanGrid grid) {
        double[][] in = new double[node.positions()][];
        for (int other = 0; other < in.length; other++) {
            Part theirs = part(other, grid.cells());
            int cells = theirs.rows().length() * theirs.columns().length();
            in[other] = new double[node.position() == 0 ? cells : 0];
        }
        double[] mine = part(node.position(), grid.cells()).load(grid);
        exchange.collect(MemorySegment.ofArray(mine), parts(in));
        for (int other = 0; other < in.length; other++) {
            part(other, grid.cells()).store(grid, in[other]);
        }
    }

    private static MemorySegment[] parts(double[][] arrays) {
        return Arrays.stream(arrays).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
    }
}
