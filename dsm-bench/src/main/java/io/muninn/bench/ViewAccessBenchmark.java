package io.muninn.bench;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.api.ByteArray;
import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What does an access through a typed view cost, compared with the same loop over a heap array and
 * over a bare {@link MemorySegment}? Views are local: no page faults are measured, and no agent or
 * simulator runs. Every benchmark {@code xOfView} has an {@code xOfArray}, and most have an {@code
 * xOfSegment}. {@link ViewAccess} runs all and prints the ratios.
 *
 * <p>The data fits the innermost caches, so that memory latency does not hide the cost of access.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ViewAccessBenchmark {
    private static final int LENGTH = 2048;
    private static final int ROWS = 32;
    private static final int COLUMNS = 64;
    private static final int SHORT_ROW = 8;
    private static final int SHORT_ROWS = LENGTH / SHORT_ROW;

    private final DoubleArray doubles = DoubleArray.local(LENGTH);
    private final LongArray longs = LongArray.local(LENGTH);
    private final IntArray ints = IntArray.local(LENGTH);
    private final ByteArray bytes = ByteArray.local(LENGTH);
    private final DoubleMatrix grid = DoubleMatrix.local(ROWS, COLUMNS);
    private final DoubleMatrix scratch = DoubleMatrix.local(ROWS, COLUMNS);
    private final MemorySegment doubleSegment = segment(Double.BYTES);
    private final MemorySegment longSegment = segment(Long.BYTES);
    private final MemorySegment intSegment = segment(Integer.BYTES);
    private final MemorySegment byteSegment = segment(Byte.BYTES);
    private final MemorySegment gridSegment = segment(Double.BYTES);
    private final MemorySegment scratchSegment = segment(Double.BYTES);
    private final double[] doubleArray = new double[LENGTH];
    private final long[] longArray = new long[LENGTH];
    private final double[] gridArray = new double[LENGTH];
    private final double[] scratchArray = new double[LENGTH];
    private final double[][] gridRows = new double[ROWS][COLUMNS];
    private final double[][] scratchRows = new double[ROWS][COLUMNS];
    private final int[] intArray = new int[LENGTH];
    private final byte[] byteArray = new byte[LENGTH];
    private final int[] places = new int[LENGTH];
    private final IntArray placeView = IntArray.local(LENGTH);
    private final MemorySegment placeSegment = segment(Integer.BYTES);
    private final DoubleArray factors = DoubleArray.local(LENGTH);
    private final MemorySegment factorSegment = segment(Double.BYTES);
    private final double[] factorArray = new double[LENGTH];
    private final DoubleArray products = DoubleArray.local(SHORT_ROWS);
    private final MemorySegment productSegment = segment(Double.BYTES);
    private final double[] productArray = new double[SHORT_ROWS];
    private int columns; // not constant, like the shape of a view

    private static MemorySegment segment(int elementBytes) {
        return Arena.ofAuto().allocate((long) LENGTH * elementBytes, Long.BYTES);
    }

    @Setup
    public void fill() {
        columns = grid.columns();
        Random random = new Random(1);
        for (int i = 0; i < LENGTH; i++) {
            places[i] = random.nextInt(LENGTH);
            placeView.set(i, places[i]);
            placeSegment.setAtIndex(JAVA_INT, i, places[i]);
            doubles.set(i, i);
            doubleSegment.setAtIndex(JAVA_DOUBLE, i, i);
            longs.set(i, i);
            longSegment.setAtIndex(JAVA_LONG, i, i);
            grid.set(i / COLUMNS, i % COLUMNS, i);
            gridSegment.setAtIndex(JAVA_DOUBLE, i, i);
            doubleArray[i] = i;
            longArray[i] = i;
            gridArray[i] = i;
            gridRows[i / COLUMNS][i % COLUMNS] = i;
        }
    }

    @Benchmark
    public double sumDoublesOfView() {
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += doubles.get(i);
        }
        return sum;
    }

    @Benchmark
    public double sumDoublesOfSegment() {
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += doubleSegment.getAtIndex(JAVA_DOUBLE, i);
        }
        return sum;
    }

    @Benchmark
    public double sumDoublesOfArray() {
        double sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += doubleArray[i];
        }
        return sum;
    }

    @Benchmark
    public long sumLongsOfView() {
        long sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += longs.get(i);
        }
        return sum;
    }

    @Benchmark
    public long sumLongsOfSegment() {
        long sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += longSegment.getAtIndex(JAVA_LONG, i);
        }
        return sum;
    }

    @Benchmark
    public long sumLongsOfArray() {
        long sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += longArray[i];
        }
        return sum;
    }

    @Benchmark
    public void scaleDoublesOfView() {
        for (int i = 0; i < LENGTH; i++) {
            doubles.set(i, 1.0000001 * doubles.get(i));
        }
    }

    @Benchmark
    public void scaleDoublesOfSegment() {
        for (int i = 0; i < LENGTH; i++) {
            doubleSegment.setAtIndex(
                    JAVA_DOUBLE, i, 1.0000001 * doubleSegment.getAtIndex(JAVA_DOUBLE, i));
        }
    }

    @Benchmark
    public void scaleDoublesOfArray() {
        for (int i = 0; i < LENGTH; i++) {
            doubleArray[i] = 1.0000001 * doubleArray[i];
        }
    }

    @Benchmark
    public void addIntsOfView() {
        for (int i = 0; i < LENGTH; i++) {
            ints.set(i, ints.get(i) + i);
        }
    }

    @Benchmark
    public void addIntsOfSegment() {
        for (int i = 0; i < LENGTH; i++) {
            intSegment.setAtIndex(JAVA_INT, i, intSegment.getAtIndex(JAVA_INT, i) + i);
        }
    }

    @Benchmark
    public void addIntsOfArray() {
        for (int i = 0; i < LENGTH; i++) {
            intArray[i] += i;
        }
    }

    @Benchmark
    public void addBytesOfView() {
        for (int i = 0; i < LENGTH; i++) {
            bytes.set(i, (byte) (bytes.get(i) + i));
        }
    }

    @Benchmark
    public void addBytesOfSegment() {
        for (int i = 0; i < LENGTH; i++) {
            byteSegment.set(JAVA_BYTE, i, (byte) (byteSegment.get(JAVA_BYTE, i) + i));
        }
    }

    @Benchmark
    public void addBytesOfArray() {
        for (int i = 0; i < LENGTH; i++) {
            byteArray[i] += (byte) i;
        }
    }

    /** Loads at random indices, so that every access is checked for bounds. */
    @Benchmark
    public long gatherLongsOfView() {
        long sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += longs.get(places[i]);
        }
        return sum;
    }

    @Benchmark
    public long gatherLongsOfSegment() {
        long sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += longSegment.getAtIndex(JAVA_LONG, places[i]);
        }
        return sum;
    }

    @Benchmark
    public long gatherLongsOfArray() {
        long sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += longArray[places[i]];
        }
        return sum;
    }

    /** The product of a sparse matrix, with eight elements in a row, and a vector. */
    @Benchmark
    public void productOfView() {
        for (int row = 0; row < SHORT_ROWS; row++) {
            double sum = 0;
            int end = (row + 1) * SHORT_ROW;
            for (int i = row * SHORT_ROW; i < end; i++) {
                sum += factors.get(i) * doubles.get(placeView.get(i));
            }
            products.set(row, sum);
        }
    }

    @Benchmark
    public void productOfSegment() {
        for (int row = 0; row < SHORT_ROWS; row++) {
            double sum = 0;
            int end = (row + 1) * SHORT_ROW;
            for (int i = row * SHORT_ROW; i < end; i++) {
                int place = placeSegment.getAtIndex(JAVA_INT, i);
                sum +=
                        factorSegment.getAtIndex(JAVA_DOUBLE, i)
                                * doubleSegment.getAtIndex(JAVA_DOUBLE, place);
            }
            productSegment.setAtIndex(JAVA_DOUBLE, row, sum);
        }
    }

    @Benchmark
    public void productOfArray() {
        for (int row = 0; row < SHORT_ROWS; row++) {
            double sum = 0;
            int end = (row + 1) * SHORT_ROW;
            for (int i = row * SHORT_ROW; i < end; i++) {
                sum += factorArray[i] * doubleArray[places[i]];
            }
            productArray[row] = sum;
        }
    }

    /** Updates every second element: half of a red-black relaxation. */
    @Benchmark
    public void relaxOfView() {
        for (int row = 1; row < ROWS - 1; row++) {
            for (int column = 1 + row % 2; column < COLUMNS - 1; column += 2) {
                double above = grid.get(row - 1, column);
                double below = grid.get(row + 1, column);
                double left = grid.get(row, column - 1);
                double right = grid.get(row, column + 1);
                double here = grid.get(row, column);
                double change = 0.25 * (above + below + left + right) - here;
                grid.set(row, column, here + 0.9 * change);
            }
        }
    }

    @Benchmark
    public void relaxRowsOfView() {
        for (int row = 1; row < ROWS - 1; row++) {
            DoubleMatrix.Row upper = grid.row(row - 1);
            DoubleMatrix.Row middle = grid.row(row);
            DoubleMatrix.Row lower = grid.row(row + 1);
            for (int column = 1 + row % 2; column < COLUMNS - 1; column += 2) {
                double left = middle.get(column - 1);
                double right = middle.get(column + 1);
                double here = middle.get(column);
                double change =
                        0.25 * (upper.get(column) + lower.get(column) + left + right) - here;
                middle.set(column, here + 0.9 * change);
            }
        }
    }

    @Benchmark
    public void relaxRowsOfArray() {
        for (int row = 1; row < ROWS - 1; row++) {
            double[] upper = gridRows[row - 1];
            double[] middle = gridRows[row];
            double[] lower = gridRows[row + 1];
            for (int column = 1 + row % 2; column < COLUMNS - 1; column += 2) {
                double left = middle[column - 1];
                double right = middle[column + 1];
                double here = middle[column];
                double change = 0.25 * (upper[column] + lower[column] + left + right) - here;
                middle[column] = here + 0.9 * change;
            }
        }
    }

    @Benchmark
    public void stencilRowsOfView() {
        for (int row = 1; row < ROWS - 1; row++) {
            DoubleMatrix.Row upper = grid.row(row - 1);
            DoubleMatrix.Row middle = grid.row(row);
            DoubleMatrix.Row lower = grid.row(row + 1);
            DoubleMatrix.Row target = scratch.row(row);
            for (int column = 1; column < COLUMNS - 1; column++) {
                double left = middle.get(column - 1);
                double right = middle.get(column + 1);
                target.set(column, 0.25 * (upper.get(column) + lower.get(column) + left + right));
            }
        }
    }

    @Benchmark
    public void stencilRowsOfArray() {
        for (int row = 1; row < ROWS - 1; row++) {
            double[] upper = gridRows[row - 1];
            double[] middle = gridRows[row];
            double[] lower = gridRows[row + 1];
            double[] target = scratchRows[row];
            for (int column = 1; column < COLUMNS - 1; column++) {
                double left = middle[column - 1];
                double right = middle[column + 1];
                target[column] = 0.25 * (upper[column] + lower[column] + left + right);
            }
        }
    }

    @Benchmark
    public void relaxOfSegment() {
        for (int row = 1; row < ROWS - 1; row++) {
            for (int column = 1 + row % 2; column < COLUMNS - 1; column += 2) {
                double above = gridSegment.getAtIndex(JAVA_DOUBLE, at(row - 1, column));
                double below = gridSegment.getAtIndex(JAVA_DOUBLE, at(row + 1, column));
                double left = gridSegment.getAtIndex(JAVA_DOUBLE, at(row, column - 1));
                double right = gridSegment.getAtIndex(JAVA_DOUBLE, at(row, column + 1));
                double here = gridSegment.getAtIndex(JAVA_DOUBLE, at(row, column));
                double change = 0.25 * (above + below + left + right) - here;
                gridSegment.setAtIndex(JAVA_DOUBLE, at(row, column), here + 0.9 * change);
            }
        }
    }

    @Benchmark
    public void relaxOfArray() {
        for (int row = 1; row < ROWS - 1; row++) {
            for (int column = 1 + row % 2; column < COLUMNS - 1; column += 2) {
                double above = gridArray[index(row - 1, column)];
                double below = gridArray[index(row + 1, column)];
                double left = gridArray[index(row, column - 1)];
                double right = gridArray[index(row, column + 1)];
                double here = gridArray[index(row, column)];
                double change = 0.25 * (above + below + left + right) - here;
                gridArray[index(row, column)] = here + 0.9 * change;
            }
        }
    }

    /** The inner loop of finite differencing. */
    @Benchmark
    public void stencilOfView() {
        for (int row = 1; row < ROWS - 1; row++) {
            for (int column = 1; column < COLUMNS - 1; column++) {
                double above = grid.get(row - 1, column);
                double below = grid.get(row + 1, column);
                double left = grid.get(row, column - 1);
                double right = grid.get(row, column + 1);
                scratch.set(row, column, 0.25 * (above + below + left + right));
            }
        }
    }

    @Benchmark
    public void stencilOfSegment() {
        for (int row = 1; row < ROWS - 1; row++) {
            for (int column = 1; column < COLUMNS - 1; column++) {
                double above = gridSegment.getAtIndex(JAVA_DOUBLE, at(row - 1, column));
                double below = gridSegment.getAtIndex(JAVA_DOUBLE, at(row + 1, column));
                double left = gridSegment.getAtIndex(JAVA_DOUBLE, at(row, column - 1));
                double right = gridSegment.getAtIndex(JAVA_DOUBLE, at(row, column + 1));
                scratchSegment.setAtIndex(
                        JAVA_DOUBLE, at(row, column), 0.25 * (above + below + left + right));
            }
        }
    }

    @Benchmark
    public void stencilOfArray() {
        for (int row = 1; row < ROWS - 1; row++) {
            for (int column = 1; column < COLUMNS - 1; column++) {
                double above = gridArray[index(row - 1, column)];
                double below = gridArray[index(row + 1, column)];
                double left = gridArray[index(row, column - 1)];
                double right = gridArray[index(row, column + 1)];
                scratchArray[index(row, column)] = 0.25 * (above + below + left + right);
            }
        }
    }

    private int index(int row, int column) {
        return row * columns + column;
    }

    private long at(int row, int column) {
        return (long) row * columns + column;
    }
}
