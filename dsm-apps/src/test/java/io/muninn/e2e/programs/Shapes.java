package io.muninn.e2e.programs;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleCube;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.FloatCube;
import io.muninn.api.FloatMatrix;
import io.muninn.api.IntMatrix;
import io.muninn.api.LongArray;
import io.muninn.api.LongMatrix;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.StructArray;
import io.muninn.api.Verdict;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Every thread stores its band of matrices and cubes, and copies the band of the next thread to
 * another variable; then a value is passed from thread to thread by ordered stores and loads.
 */
public final class Shapes implements DsmProgram {
    private static final int ROWS = 64;
    private static final int COLUMNS = 100;
    private static final int PLANES = 8;
    private static final int ELEMENTS = ROWS * COLUMNS;

    @Shared(Protocol.WRITE_SHARED)
    private final IntMatrix ints = IntMatrix.of(ROWS, COLUMNS);

    @Shared(Protocol.WRITE_SHARED)
    private final LongMatrix longs = LongMatrix.of(ROWS, COLUMNS);

    @Shared(Protocol.LAZY)
    private final FloatMatrix floats = FloatMatrix.of(ROWS, COLUMNS);

    @Shared(Protocol.HOME_BASED)
    private final DoubleCube cube = DoubleCube.of(PLANES, ROWS / PLANES, COLUMNS);

    @Shared(Protocol.WRITE_SHARED)
    private final FloatCube floatCube = FloatCube.of(PLANES, ROWS / PLANES, COLUMNS);

    @Shared(Protocol.WRITE_SHARED)
    private final LongArray copiedLongs = LongArray.of(ELEMENTS);

    @Shared(Protocol.WRITE_SHARED)
    private final DoubleArray copiedCube = DoubleArray.of(ELEMENTS);

    @Shared private final LongArray passed = LongArray.of(1);

    @Shared
    private final StructArray turns =
            StructArray.of(
                    MemoryLayout.structLayout(
                            ValueLayout.JAVA_INT.withName("turn"),
                            ValueLayout.JAVA_INT.withName("count")),
                    1);

    @Override
    public void run(DsmNode node) throws InterruptedException {
        DsmBarrier step = node.barrier("step");
        store(node.band(ROWS));
        step.await();
        copy(Band.of(ROWS, (node.position() + 1) % node.positions(), node.positions()));
        step.await();
        check();
        step.await();
        if (node.position() == 0) {
            copiedLongs.copyTo(0, copiedLongs, 1, ELEMENTS - 1);
            floats.fill(ROWS / 2, ROWS, -1);
        }
        step.await();
        for (int i = 1; i < ELEMENTS; i++) {
            expect("moved", i, copiedLongs.get(i), value(i - 1));
            float filled = floats.get(i / COLUMNS, i % COLUMNS);
            expect("filled", i, (long) filled, i < ELEMENTS / 2 ? value(i) : -1);
        }
        pass(node.position());
    }

    private void store(Band rows) {
        for (int row = rows.from(); row < rows.to(); row++) {
            IntMatrix.Row view = ints.row(row);
            for (int column = 0; column < view.length(); column++) {
                int value = value(row * COLUMNS + column);
                view.set(column, value);
                longs.set(row, column, value);
                floats.set(row, column, value);
                floatCube.set(row % PLANES, row / PLANES, column, value);
            }
            double[] line = new double[COLUMNS];
            for (int column = 0; column < COLUMNS; column++) {
                line[column] = value(row * COLUMNS + column);
            }
            cube.copyFrom(row * PLANES / ROWS, row % (ROWS / PLANES), line);
        }
    }

    private void copy(Band rows) {
        long from = (long) rows.from() * COLUMNS;
        long count = (long) rows.length() * COLUMNS;
        longs.copyTo(from, copiedLongs, from, count);
        cube.copyTo(from, copiedCube, from, count);
    }

    private void check() {
        for (int i = 0; i < ELEMENTS; i++) {
            int row = i / COLUMNS;
            int column = i % COLUMNS;
            expect("int", i, ints.get(row, column), value(i));
            expect("long", i, copiedLongs.get(i), value(i));
            expect("double", i, (long) copiedCube.get(i), value(i));
            expect("float", i, (long) floats.row(row).get(column), value(i));
            float ofCube = floatCube.get(row % PLANES, row / PLANES, column);
            expect("float of a cube", i, (long) ofCube, value(i));
        }
    }

    /** Adds to a plain element in turn; the turn is passed by a release and seen by an acquire. */
    private void pass(int position) {
        while (turns.getIntAcquire(0, 0) != position) {
            Thread.onSpinWait();
        }
        passed.set(0, passed.get(0) + position);
        turns.getAndAddInt(0, Integer.BYTES, 1);
        turns.setIntRelease(0, 0, position + 1);
    }

    private static int value(int element) {
        return 3 * element + 1;
    }

    private static void expect(String what, int element, long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException(
                    what + " " + element + " is " + found + ", not " + expected);
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        int last = root.positions() - 1;
        List<String> wrong = new ArrayList<>();
        if (passed.getVolatile(0) != (long) last * (last + 1) / 2) {
            wrong.add("the sum is " + passed.get(0));
        }
        if (turns.getIntVolatile(0, Integer.BYTES) != last + 1) {
            wrong.add(turns.getInt(0, Integer.BYTES) + " turns");
        }
        return wrong.isEmpty()
                ? Verdict.right("shapes are whole")
                : Verdict.wrong(wrong.toString());
    }
}
