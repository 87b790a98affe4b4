package io.muninn.apps.lu;

import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import io.muninn.apps.ThreadGrid;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * LU with messages: each thread has its tiles, and receives in each step the tiles that its
 * products need.
 */
final class LuMessages {
    private final LuSize size;
    private final LuTiles tiles;
    private final DsmNode node;
    private final Exchange exchange;
    private final ThreadGrid grid;
    private final int self;

    /** This thread's tiles and the received tiles of other threads, by {@link #index}. */
    private final double[][] all;

    private LuMessages(LuSize size, DsmNode node) {
        this.size = size;
        this.node = node;
        this.tiles = new LuTiles(size);
        this.exchange = new Exchange(node);
        this.grid = ThreadGrid.of(node.positions());
        this.self = node.position();
        this.all = new double[size.tiles() * size.tiles()][];
    }

    static double[] factor(LuSize size, DsmNode node) {
        LuMessages part = new LuMessages(size, node);
        for (int tile : part.ofOwner(part.self)) {
            int n = size.tiles();
            part.all[tile] = LuTiles.filled(size, tile / n, tile % n);
        }
        for (int step = 0; step < size.tiles(); step++) {
            part.factor(step);
        }
        return part.collect();
    }

    private void factor(int step) {
        int n = size.tiles();
        int diagonal = index(step, step);
        if (grid.owner(step, step) == self) {
            tiles.factor(all[diagonal]);
            node.work(tiles.factorUnits());
        }
        swap(step, this::diagonal);
        for (int i = step + 1; i < n; i++) {
            if (grid.owner(i, step) == self) {
                tiles.solveUpper(all[index(i, step)], all[diagonal]);
                node.work(tiles.solveUnits());
            }
            if (grid.owner(step, i) == self) {
                tiles.solveLower(all[index(step, i)], all[diagonal]);
                node.work(tiles.solveUnits());
            }
        }
        swap(step, this::solved);
        for (int row = step + 1; row < n; row++) {
            for (int column = step + 1; column < n; column++) {
                if (grid.owner(row, column) == self) {
                    tiles.multiply(
                            all[index(row, column)],
                            all[index(row, step)],
                            all[index(step, column)]);
                    node.work(tiles.multiplyUnits());
                }
            }
        }
    }

    /** The tiles that a thread sends to another. */
    private interface Given {
        List<Integer> tiles(int step, int from, int to);
    }

    private List<Integer> diagonal(int step, int from, int to) {
        boolean isNeeded = grid.hasColumn(to, step) || grid.hasRow(to, step);
        return isNeeded && step + 1 < size.tiles() && grid.owner(step, step) == from
                ? List.of(index(step, step))
                : List.of();
    }

    private List<Integer> solved(int step, int from, int to) {
        List<Integer> given = new ArrayList<>();
        for (int i = step + 1; i < size.tiles(); i++) {
            if (grid.owner(i, step) == from && grid.hasRow(to, i)) {
                given.add(index(i, step));
            }
            if (grid.owner(step, i) == from && grid.hasColumn(to, i)) {
                given.add(index(step, i));
            }
        }
        return given;
    }

    private void swap(int step, Given given) {
        int positions = node.positions();
        MemorySegment[] out = new MemorySegment[positions];
        MemorySegment[] in = new MemorySegment[positions];
        double[][] got = new double[positions][];
        for (int other = 0; other < positions; other++) {
            out[other] = MemorySegment.ofArray(joined(given.tiles(step, self, other)));
            got[other] = new double[given.tiles(step, other, self).size() * size.area()];
            in[other] = MemorySegment.ofArray(got[other]);
        }
        exchange.swap(out, in);
        for (int other = 0; other < positions; other++) {
            if (other != self) {
                part(given.tiles(step, other, self), got[other], all);
            }
        }
    }

    private double[] joined(List<Integer> which) {
        double[] joined = new double[which.size() * size.area()];
        for (int i = 0; i < which.size(); i++) {
            System.arraycopy(all[which.get(i)], 0, joined, i * size.area(), size.area());
        }
        return joined;
    }

    private void part(List<Integer> which, double[] joined, double[][] target) {
        for (int i = 0; i < which.size(); i++) {
            double[] tile = new double[size.area()];
            System.arraycopy(joined, i * size.area(), tile, 0, size.area());
            target[which.get(i)] = tile;
        }
    }

    private double[] collect() {
        int positions = node.positions();
        MemorySegment[] in = new MemorySegment[positions];
        double[][] got = new double[positions][];
        for (int other = 0; other < positions; other++) {
            got[other] = new double[self == 0 ? ofOwner(other).size() * size.area() : 0];
            in[other] = MemorySegment.ofArray(got[other]);
        }
        exchange.collect(MemorySegment.ofArray(joined(ofOwner(self))), in);
        if (self != 0) {
            return new double[0];
        }
        double[][] whole = new double[all.length][];
        for (int other = 0; other < positions; other++) {
            part(ofOwner(other), got[other], whole);
        }
        return LuSequential.inRows(size, whole);
    }

    /** The tiles of a thread, row by row. */
    private List<Integer> ofOwner(int position) {
        List<Integer> which = new ArrayList<>();
        for (int row = 0; row < size.tiles(); row++) {
            for (int column = 0; column < size.tiles(); column++) {
                if (grid.owner(row, column) == position) {
                    which.add(index(row, column));
                }
            }
        }
        return which;
    }

    private int index(int row, int column) {
        return row * size.tiles() + column;
    }
}
