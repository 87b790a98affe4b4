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
 * What does an access through a typed view cost, beside the same loop over a bare {@link
 * MemorySegment}? Pages are held already: no fault is measured, no agent runs, and the JVM is not a
 * simulated one, as in every live run. Every benchmark {@code xOfView} has its {@code xOfSegment},
 * some have an {@code xOfArray}; {@link ViewAccess} runs all and prints the ratios.
 *
 * <p>The data fits the innermost caches, so that memory hides nothing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ViewAccessBenchmark {
    private static final int LENGTH = 2048;
    private static final int ROWS = 32;
    private static final int COLUMNS = 64;

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
    private final int[] places = new int[LENGTH];
    private int columns; // not a constant: nor is a view's shape

    private static MemorySegment segment(int elementBytes) {
        return Arena.ofAuto().allocate((long) LENGTH * elementBytes, Long.BYTES);
    }

    @Setup
    public void fill() {
        columns = grid.columns();
        Random random = new Random(1);
        for (int i = 0; i < LENGTH; i++) {
            places[i] = random.nextInt(LENGTH);
            doubles.set(i, i);
            doubleSegment.setAtIndex(JAVA_DOUBLE, i, i);
            longs.set(i, i);
            longSegment.setAtIndex(JAVA_LONG, i, i);
            grid.set(i / COLUMNS, i % COLUMNS, i);
            gridSegment.setAtIndex(JAVA_DOUBLE, i, i);
            doubleArray[i] = i;
            longArray[i] = i;
            gridArray[i] = i;
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

    /** At places that no compiler can foresee: every access is checked. */
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
