package io.muninn.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleMatrix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does an access through a typed view cost, beside a bare {@link MemorySegment} and a heap
 * array? Pages are held already: no fault is measured, and no agent runs.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class ViewAccessBenchmark {
    private static final int SIZE = 512;

    private final double[] heap = new double[SIZE * SIZE];
    private final DoubleArray array = DoubleArray.local(SIZE * SIZE);
    private final DoubleMatrix grid = DoubleMatrix.local(SIZE, SIZE);
    private final DoubleMatrix scratch = DoubleMatrix.local(SIZE, SIZE);
    private MemorySegment segment = MemorySegment.NULL;

    @Setup
    public void fill() {
        segment = Arena.ofAuto().allocate(JAVA_DOUBLE, (long) SIZE * SIZE);
        for (int i = 0; i < SIZE * SIZE; i++) {
            heap[i] = i;
            array.set(i, i);
            segment.setAtIndex(JAVA_DOUBLE, i, i);
            grid.set(i / SIZE, i % SIZE, i);
        }
    }

    @Benchmark
    public double sumOfHeapArray() {
        double sum = 0;
        for (int i = 0; i < heap.length; i++) {
            sum += heap[i];
        }
        return sum;
    }

    @Benchmark
    public double sumOfSegment() {
        double sum = 0;
        MemorySegment source = segment;
        for (int i = 0; i < SIZE * SIZE; i++) {
            sum += source.getAtIndex(JAVA_DOUBLE, i);
        }
        return sum;
    }

    @Benchmark
    public double sumOfView() {
        double sum = 0;
        for (int i = 0; i < SIZE * SIZE; i++) {
            sum += array.get(i);
        }
        return sum;
    }

    /** The inner loop of finite differencing, through views. */
    @Benchmark
    public void stencilOfViews() {
        for (int i = 1; i < SIZE - 1; i++) {
            for (int j = 1; j < SIZE - 1; j++) {
                scratch.set(
                        i,
                        j,
                        0.25
                                * (grid.get(i - 1, j)
                                        + grid.get(i + 1, j)
                                        + grid.get(i, j - 1)
                                        + grid.get(i, j + 1)));
            }
        }
    }
}
