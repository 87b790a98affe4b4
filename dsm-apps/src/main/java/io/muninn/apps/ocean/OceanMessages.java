package io.muninn.apps.ocean;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import io.muninn.apps.SameBits;
import io.muninn.apps.ThreadGrid;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * OCEAN with messages: each thread has memory for whole grids, of which its part and the cells
 * around that are right.
 */
final class OceanMessages implements OceanRun.Links {
    private final DsmNode node;
    private final Exchange exchange;
    private final ThreadGrid grid;

    private OceanMessages(DsmNode node) {
        this.node = node;
        exchange = new Exchange(node);
        grid = ThreadGrid.of(node.positions());
    }

    static double[] run(OceanSize size, DsmNode node) {
        OceanMessages links = new OceanMessages(node);
        OceanRun run =
                new OceanRun(
                        size,
                        node,
                        node.position(),
                        node.positions(),
                        links,
                        (name, cells) -> DoubleMatrix.local(cells, cells));
        run.run();
        for (DoubleMatrix matrix : run.results()) {
            links.collect(matrix);
        }
        return node.position() == 0 ? SameBits.of(run.results()) : new double[0];
    }

    /** Cells of a grid. */
    private record Part(Band rows, Band columns) {
        double[] load(DoubleMatrix matrix) {
            double[] values = new double[rows.length() * columns.length()];
            for (int i = 0; i < values.length; i++) {
                values[i] = matrix.get(row(i), column(i));
            }
            return values;
        }

        void store(DoubleMatrix matrix, double[] values) {
            for (int i = 0; i < values.length; i++) {
                matrix.set(row(i), column(i), values[i]);
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
        return new Part(grid.rowsOf(position, cells), grid.columnsOf(position, cells));
    }

    /** What a thread gives to another: cells of its part beside or in the part of the other. */
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
    public void changed(DoubleMatrix... matrices) {
        int self = node.position();
        for (DoubleMatrix matrix : matrices) {
            MemorySegment[] out = new MemorySegment[node.positions()];
            double[][] in = new double[out.length][];
            for (int other = 0; other < out.length; other++) {
                out[other] = MemorySegment.ofArray(given(self, other, matrix.rows()).load(matrix));
                Part theirs = given(other, self, matrix.rows());
                in[other] = new double[theirs.rows().length() * theirs.columns().length()];
            }
            exchange.swap(out, parts(in));
            for (int other = 0; other < out.length; other++) {
                given(other, self, matrix.rows()).store(matrix, in[other]);
            }
        }
    }

    @Override
    public double max(double mine) {
        double[][] in = new double[node.positions()][1];
        exchange.share(MemorySegment.ofArray(new double[] {mine}), parts(in));
        return Arrays.stream(in).mapToDouble(one -> one[0]).max().orElseThrow();
    }

    private void collect(DoubleMatrix matrix) {
        double[][] in = new double[node.positions()][];
        for (int other = 0; other < in.length; other++) {
            Part theirs = part(other, matrix.rows());
            int cells = theirs.rows().length() * theirs.columns().length();
            in[other] = new double[node.position() == 0 ? cells : 0];
        }
        double[] mine = part(node.position(), matrix.rows()).load(matrix);
        exchange.collect(MemorySegment.ofArray(mine), parts(in));
        for (int other = 0; other < in.length; other++) {
            part(other, matrix.rows()).store(matrix, in[other]);
        }
    }

    private static MemorySegment[] parts(double[][] arrays) {
        return Arrays.stream(arrays).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
    }
}
