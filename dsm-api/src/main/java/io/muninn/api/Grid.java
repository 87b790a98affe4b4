package io.muninn.api;

import io.muninn.api.spi.ViewSpec;

/**
 * What matrices and cubes have in common: lines of equally many elements, one behind the other
 * without padding. A line is a row of a matrix, or a row of a plane of a cube.
 *
 * <p>Loads and stores are methods of the class for each element type, so that each has one
 * receiver; {@code shift} is then a constant, the binary logarithm of an element's bytes.
 */
abstract sealed class Grid extends SharedVariable permits Matrix, Cube {
    /** Largest number of columns, 2^28. With it no element's index overflows, in any line. */
    static final int WIDTH_MAX = 1 << 28;

    final int lines;
    final int columns;

    Grid(ViewSpec spec, int lines, int columns) {
        super(spec, columns);
        this.lines = lines;
        this.columns = columns;
    }

    /**
     * The offset of an element. A column that is too large would be an element of another line. The
     * comparisons are those of {@link #loaded}.
     *
     * @param limit {@link #loadable} or {@link #storable}
     */
    final long checkedOffset(int line, int column, int limit, int shift) {
        checkLine(line, column);
        return offset(line, column, limit, shift);
    }

    /** As {@link #checkedOffset}, of a line that has been checked. */
    final long offset(int line, int column, int limit, int shift) {
        if (Integer.compareUnsigned(column, limit) >= 0) {
            throw refused(place(line, column), column);
        }
        return lineOffset(line, shift) + ((long) column << shift);
    }

    final void checkLine(int line, int column) {
        if (Integer.compareUnsigned(line, lines) >= 0) {
            throw refused(place(line, column));
        }
    }

    /** The offset of a line's first element. */
    final long lineOffset(int line, int shift) {
        return AllMemory.within(line * lineBytes(shift));
    }

    final long lineBytes(int shift) {
        return (long) columns << shift;
    }

    /** A line as messages name it: {@code row 2}. */
    abstract String lineText(int line);

    private String place(int line, int column) {
        return lineText(line) + ", column " + column;
    }

    /**
     * One row of a matrix or a cube. The subclass for each element type loads and stores.
     *
     * <p>A grid may be bound, or sealed, after the view of its row was created. So a view knows
     * only what it found then, and passes every access that this does not permit to its grid.
     */
    abstract static class Line {
        final Grid grid;
        final int line;
        final int loadable; // of the grid, when this view was created
        final long address; // of its first element

        Line(Grid grid, int line, int shift) {
            this.grid = grid;
            this.line = line;
            this.loadable = grid.loadable;
            this.address = grid.memory.address() + grid.lineOffset(line, shift);
        }

        /** Number of elements: the columns of the matrix or cube. */
        public final int length() {
            return grid.columns;
        }

        /** True if a column must be loaded through the grid. */
        final boolean isBeyondLoads(int column) {
            return !AllMemory.IS_OPEN || Integer.compareUnsigned(column, loadable) >= 0;
        }

        /** True if a column must be stored through the grid. */
        final boolean isBeyondStores(int column) {
            return !AllMemory.IS_OPEN
                    || loadable == 0
                    || Integer.compareUnsigned(column, grid.storable) >= 0;
        }

        @Override
        public final String toString() {
            return grid.lineText(line) + " of " + grid;
        }
    }
}
