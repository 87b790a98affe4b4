package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Matrices of every element type and cubes; {@link DoubleMatrixTest} has the errors of one. */
class MatrixAndCubeTest {
    private static final int COLUMNS = 4;
    private static final int ROWS = 6;

    /** Loads or stores of one element, by the number of its row in the whole view. */
    private interface At {
        double apply(int row, int column);
    }

    private interface Store {
        void accept(int row, int column, int value);
    }

    /** A view of six rows of four elements, and what tests do with it. */
    private record Kind(
            SharedVariable view,
            ViewSpec expected,
            At load,
            Store store,
            At loadByRow,
            Store storeByRow,
            Function<Integer, double[]> copyOfRow,
            Runnable fillSecondThird) {
        @Override
        public String toString() {
            return expected.type();
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(doubles(), floats(), ints(), longs(), doubleCube(), floatCube());
    }

    private static Kind doubles() {
        DoubleMatrix m = DoubleMatrix.of(ROWS, COLUMNS);
        return new Kind(
                m,
                new ViewSpec("double[6][4]", 192, 8),
                m::get,
                m::set,
                (r, c) -> m.row(r).get(c),
                (r, c, value) -> m.row(r).set(c, value),
                row -> {
                    double[] copy = new double[COLUMNS];
                    m.copyTo(row, copy);
                    m.copyFrom(row, copy);
                    return copy;
                },
                () -> m.fill(2, 4, -7));
    }

    private static Kind floats() {
        FloatMatrix m = FloatMatrix.of(ROWS, COLUMNS);
        return new Kind(
                m,
                new ViewSpec("float[6][4]", 96, 4),
                m::get,
                m::set,
                (r, c) -> m.row(r).get(c),
                (r, c, value) -> m.row(r).set(c, value),
                row -> {
                    float[] copy = new float[COLUMNS];
                    m.copyTo(row, copy);
                    m.copyFrom(row, copy);
                    return new double[] {copy[0], copy[1], copy[2], copy[3]};
                },
                () -> m.fill(2, 4, -7));
    }

    private static Kind ints() {
        IntMatrix m = IntMatrix.of(ROWS, COLUMNS);
        return new Kind(
                m,
                new ViewSpec("int[6][4]", 96, 4),
                m::get,
                m::set,
                (r, c) -> m.row(r).get(c),
                (r, c, value) -> m.row(r).set(c, value),
                row -> {
                    int[] copy = new int[COLUMNS];
                    m.copyTo(row, copy);
                    m.copyFrom(row, copy);
                    return new double[] {copy[0], copy[1], copy[2], copy[3]};
                },
                () -> m.fill(2, 4, -7));
    }

    private static Kind longs() {
        LongMatrix m = LongMatrix.of(ROWS, COLUMNS);
        return new Kind(
                m,
                new ViewSpec("long[6][4]", 192, 8),
                m::get,
                m::set,
                (r, c) -> m.row(r).get(c),
                (r, c, value) -> m.row(r).set(c, value),
                row -> {
                    long[] copy = new long[COLUMNS];
                    m.copyTo(row, copy);
                    m.copyFrom(row, copy);
                    return new double[] {copy[0], copy[1], copy[2], copy[3]};
                },
                () -> m.fill(2, 4, -7));
    }

    private static Kind doubleCube() {
        DoubleCube m = DoubleCube.of(3, 2, COLUMNS);
        return new Kind(
                m,
                new ViewSpec("double[3][2][4]", 192, 8),
                (r, c) -> m.get(r / 2, r % 2, c),
                (r, c, value) -> m.set(r / 2, r % 2, c, value),
                (r, c) -> m.row(r / 2, r % 2).get(c),
                (r, c, value) -> m.row(r / 2, r % 2).set(c, value),
                row -> {
                    double[] copy = new double[COLUMNS];
                    m.copyTo(row / 2, row % 2, copy);
                    m.copyFrom(row / 2, row % 2, copy);
                    return copy;
                },
                () -> m.fill(1, 2, -7));
    }

    private static Kind floatCube() {
        FloatCube m = FloatCube.of(3, 2, COLUMNS);
        return new Kind(
                m,
                new ViewSpec("float[3][2][4]", 96, 4),
                (r, c) -> m.get(r / 2, r % 2, c),
                (r, c, value) -> m.set(r / 2, r % 2, c, value),
                (r, c) -> m.row(r / 2, r % 2).get(c),
                (r, c, value) -> m.row(r / 2, r % 2).set(c, value),
                row -> {
                    float[] copy = new float[COLUMNS];
                    m.copyTo(row / 2, row % 2, copy);
                    m.copyFrom(row / 2, row % 2, copy);
                    return new double[] {copy[0], copy[1], copy[2], copy[3]};
                },
                () -> m.fill(1, 2, -7));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void elements_areTheirOwnInEveryWayOfAccess(Kind kind) {
        assertEquals(kind.expected(), ViewBinder.spec(kind.view()));
        Bound.named("m", kind.view());
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                if (row % 2 == 0) {
                    kind.store().accept(row, column, 10 * row + column);
                } else {
                    kind.storeByRow().accept(row, column, 10 * row + column);
                }
            }
        }

        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                assertEquals(10 * row + column, kind.load().apply(row, column));
                assertEquals(10 * row + column, kind.loadByRow().apply(row, column));
            }
            double first = 10 * row;
            assertArrayEquals(
                    new double[] {first, first + 1, first + 2, first + 3},
                    kind.copyOfRow().apply(row));
        }
        kind.fillSecondThird().run();
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                double expected = row == 2 || row == 3 ? -7 : 10 * row + column;
                assertEquals(expected, kind.load().apply(row, column));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void accessesOutOfRange_neverReachAnotherRow(Kind kind) {
        Bound.named("m", kind.view());
        for (int column : new int[] {-1, COLUMNS, Integer.MIN_VALUE}) {
            assertRefused(() -> kind.load().apply(1, column));
            assertRefused(() -> kind.store().accept(1, column, 5));
            assertRefused(() -> kind.loadByRow().apply(1, column));
            assertRefused(() -> kind.storeByRow().accept(1, column, 5));
        }
        for (int row : new int[] {-2, ROWS, Integer.MAX_VALUE}) {
            assertRefused(() -> kind.load().apply(row, 1));
            assertRefused(() -> kind.store().accept(row, 1, 5));
            assertRefused(() -> kind.loadByRow().apply(row, 1));
            assertRefused(() -> kind.copyOfRow().apply(row));
        }

        for (int row = 0; row < ROWS; row++) {
            assertArrayEquals(new double[COLUMNS], kind.copyOfRow().apply(row));
        }
    }

    private static void assertRefused(Runnable access) {
        assertThrows(IndexOutOfBoundsException.class, access::run);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void sealedView_loadsAndDoesNotStore(Kind kind) {
        Bound.sealed("edge", kind.view());

        assertEquals(0, kind.load().apply(5, 3));
        for (Runnable store :
                new Runnable[] {
                    () -> kind.store().accept(1, 1, 5),
                    () -> kind.storeByRow().accept(1, 1, 5),
                    () -> kind.copyOfRow().apply(1),
                    kind.fillSecondThird()
                }) {
            assertEquals(
                    "store to variable edge, which is READ_ONLY since initialization ended",
                    assertThrows(IllegalStateException.class, store::run).getMessage());
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void useBeforeBinding_saysWhenItMayBeUsed(Kind kind) {
        for (Runnable use :
                new Runnable[] {
                    () -> kind.load().apply(0, 0),
                    () -> kind.storeByRow().accept(0, 0, 5),
                    () -> kind.copyOfRow().apply(0),
                    kind.fillSecondThird()
                }) {
            assertThrows(IllegalStateException.class, use::run);
        }
    }

    @Test
    void indexOfACube_isNamedInEveryDimension() {
        DoubleCube cube = Bound.named("c", DoubleCube.of(3, 2, 4));
        String shape = " of variable c, whose planes are 3, rows 2 and columns 4";

        assertEquals("plane 3, row 1, column 0" + shape, message(() -> cube.get(3, 1, 0)));
        assertEquals("plane 1, row 2, column 0" + shape, message(() -> cube.get(1, 2, 0)));
        assertEquals("plane 1, row -1, column 0" + shape, message(() -> cube.set(1, -1, 0, 1)));
        assertEquals("plane 1, row 1, column 4" + shape, message(() -> cube.set(1, 1, 4, 1)));
        assertEquals("plane 1, row 1, column 4" + shape, message(() -> cube.row(1, 1).get(4)));
        assertEquals("planes 2 to 4" + shape, message(() -> cube.fill(2, 4, 1)));
        assertEquals("planes 1 to 0" + shape, message(() -> cube.segment(1, 0, Mode.READ)));
        assertEquals("plane 2, row 1 of c double[3][2][4]", cube.row(2, 1).toString());
    }

    private static String message(Runnable access) {
        return assertThrows(IndexOutOfBoundsException.class, access::run).getMessage();
    }

    @Test
    void planes_areContiguous() {
        FloatCube cube = Bound.named("c", FloatCube.of(3, 2, 2));
        cube.set(1, 0, 0, 1);
        cube.set(1, 1, 1, 2);

        MemorySegment plane = cube.segment(1, 2, Mode.READ);

        assertArrayEquals(new float[] {1, 0, 0, 2}, plane.toArray(ValueLayout.JAVA_FLOAT));
        assertEquals(3, cube.planes());
        assertEquals(2, cube.rows());
        assertEquals(2, cube.columns());
    }

    @Test
    void shapesOutOfRange_areRefusedByShape() {
        String text =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> DoubleCube.of(1 << 16, 1 << 15, 1))
                        .getMessage();
        assertEquals(
                "double[65536][32768][1] cannot be shared: planes and rows are 1 or more, their"
                        + " product at most 2147483647, columns 1 to 268435456",
                text);
        for (int[] shape : new int[][] {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {-1, -1, 1}}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> FloatCube.of(shape[0], shape[1], shape[2]));
        }
        assertThrows(IllegalArgumentException.class, () -> IntMatrix.of(0, 1));
        assertThrows(IllegalArgumentException.class, () -> LongMatrix.of(1, 1 << 29));
        assertThrows(IllegalArgumentException.class, () -> FloatMatrix.of(1, 0));
    }
}
