package io.muninn.apps.fft;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import java.lang.foreign.MemorySegment;

/** The six-step FFT with messages: a transpose exchanges square parts between all threads. */
final class SixMessages {
    private SixMessages() {}

    /**
     * Returns the transform in natural order on the root's first thread; an empty array on other
     * threads.
     */
    static double[] transform(SixRows rows, DsmNode node) {
        Exchange exchange = new Exchange(node);
        Band mine = rows.band(node.position(), node.positions());
        double[][] points = new double[mine.length()][];
        for (int i = 0; i < mine.length(); i++) {
            points[i] = rows.input(mine.from() + i);
        }
        for (int phase = 0; phase < SixRows.PHASES; phase++) {
            points = transposed(rows, node, exchange, mine, points);
            for (int i = 0; i < mine.length(); i++) {
                rows.work(node, phase, mine.from() + i, points[i]);
            }
        }
        return collect(rows, node, exchange, points);
    }

    private static double[][] transposed(
            SixRows rows, DsmNode node, Exchange exchange, Band mine, double[][] points) {
        int positions = node.positions();
        double[][] got = new double[positions][];
        MemorySegment[] in = new MemorySegment[positions];
        MemorySegment[] out = new MemorySegment[positions];
        for (int other = 0; other < positions; other++) {
            Band theirs = rows.band(other, positions);
            got[other] = new double[2 * mine.length() * theirs.length()];
            in[other] = MemorySegment.ofArray(got[other]);
            out[other] = MemorySegment.ofArray(columns(points, theirs));
        }
        exchange.swap(out, in);
        double[][] transposed = new double[mine.length()][rows.rowLength()];
        for (int other = 0; other < positions; other++) {
            int column = rows.band(other, positions).from();
            for (int i = 0; i < got[other].length / 2; i++) {
                double[] target = transposed[i % mine.length()];
                int to = column + i / mine.length();
                target[2 * to] = got[other][2 * i];
                target[2 * to + 1] = got[other][2 * i + 1];
            }
        }
        return transposed;
    }

    /** A range of columns of all rows, row by row. */
    private static double[] columns(double[][] points, Band which) {
        int length = 2 * which.length();
        double[] columns = new double[points.length * length];
        for (int i = 0; i < points.length; i++) {
            System.arraycopy(points[i], 2 * which.from(), columns, i * length, length);
        }
        return columns;
    }

    private static double[] collect(
            SixRows rows, DsmNode node, Exchange exchange, double[][] points) {
        double[] all = new double[node.position() == 0 ? rows.length() : 0];
        MemorySegment[] in = new MemorySegment[node.positions()];
        if (node.position() == 0) {
            for (int other = 0; other < in.length; other++) {
                Band theirs = rows.band(other, in.length);
                long rowBytes = (long) rows.rowLength() * Double.BYTES;
                in[other] =
                        MemorySegment.ofArray(all)
                                .asSlice(theirs.from() * rowBytes, theirs.length() * rowBytes);
            }
        }
        double[] mine = columns(points, new Band(0, rows.side()));
        exchange.collect(MemorySegment.ofArray(mine), in);
        return all;
    }
}
