package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.spi.ViewBinder;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

class DoubleMatrixTest {
    @Test
    void elements_areRowMajorWithoutPadding() {
        DoubleMatrix matrix = Bound.named("m", DoubleMatrix.of(3, 4));
        matrix.set(1, 0, 10);
        matrix.set(1, 3, 13);
        matrix.set(2, 0, 20);

        double[] rows = matrix.segment(1, 3, Mode.READ).toArray(ValueLayout.JAVA_DOUBLE);

        assertArrayEquals(new double[] {10, 0, 0, 13, 20, 0, 0, 0}, rows);
        assertEquals(13, matrix.get(1, 3));
    }

    @Test
    void columnOutOfRange_neverReachesAnotherRow() {
        DoubleMatrix matrix = Bound.named("m", DoubleMatrix.of(3, 4));

        for (int column : new int[] {-1, 4, Integer.MAX_VALUE}) {
            assertEquals(
                    "row 1, column " + column + " of variable m, whose rows are 3 and columns 4",
                    assertThrows(IndexOutOfBoundsException.class, () -> matrix.get(1, column))
                            .getMessage());
            assertThrows(IndexOutOfBoundsException.class, () -> matrix.set(1, column, 5));
        }
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 4; column++) {
                assertEquals(0, matrix.get(row, column));
            }
        }
    }

    @Test
    void rowOutOfRange_namesRowAndShape() {
        DoubleMatrix matrix = Bound.named("m", DoubleMatrix.of(3, 4));

        for (int row : new int[] {-1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            for (int column : new int[] {0, 3}) {
                assertEquals(
                        "row "
                                + row
                                + ", column "
                                + column
                                + " of variable m, whose rows are 3 and columns 4",
                        assertThrows(
                                        IndexOutOfBoundsException.class,
                                        () -> matrix.set(row, column, 1))
                                .getMessage());
            }
        }
    }

    @Test
    void rows_copyInAndOut() {
        DoubleMatrix matrix = Bound.named("m", DoubleMatrix.of(2, 3));
        matrix.fill(7);
        matrix.copyFrom(1, new double[] {1, 2, 3});
        double[] row = new double[4];

        matrix.copyTo(1, row);

        assertArrayEquals(new double[] {1, 2, 3, 0}, row);
        assertEquals(7, matrix.get(0, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> matrix.copyTo(2, row));
        assertThrows(IndexOutOfBoundsException.class, () -> matrix.copyFrom(-1, row));
        assertThrows(
                IndexOutOfBoundsException.class, () -> matrix.copyFrom(Integer.MAX_VALUE, row));
    }

    @Test
    void sealedMatrix_loadsButDoesNotStore() {
        DoubleMatrix matrix = Bound.sealed("input", DoubleMatrix.of(2, 3));

        assertEquals(0, matrix.get(1, 2));
        for (Runnable store :
                new Runnable[] {
                    () -> matrix.set(0, 0, 1),
                    () -> matrix.fill(1),
                    () -> matrix.copyFrom(0, new double[3]),
                    () -> matrix.segment(0, 1, Mode.WRITE)
                }) {
            assertTrue(
                    assertThrows(IllegalStateException.class, store::run)
                            .getMessage()
                            .startsWith("store to variable input"));
        }
    }

    @Test
    void rowView_loadsAndStoresTheMatrix() {
        DoubleMatrix matrix = Bound.named("m", DoubleMatrix.of(3, 4));
        DoubleMatrix.Row row = matrix.row(2);

        row.set(3, 23);
        matrix.set(2, 0, 20);

        assertEquals(4, row.length());
        assertEquals(23, matrix.get(2, 3));
        assertEquals(20, row.get(0));
        assertEquals("row 2 of m double[3][4]", row.toString());
    }

    @Test
    void columnBesideARowView_isRefusedAsOfTheMatrix() {
        DoubleMatrix matrix = Bound.named("m", DoubleMatrix.of(3, 4));
        DoubleMatrix.Row row = matrix.row(1);

        for (int column : new int[] {-1, 4, Integer.MAX_VALUE}) {
            String expected =
                    "row 1, column " + column + " of variable m, whose rows are 3 and columns 4";
            for (Runnable access :
                    new Runnable[] {() -> row.get(column), () -> row.set(column, 1)}) {
                assertEquals(
                        expected,
                        assertThrows(IndexOutOfBoundsException.class, access::run).getMessage());
            }
        }
        assertEquals(
                "row 3, column 0 of variable m, whose rows are 3 and columns 4",
                assertThrows(IndexOutOfBoundsException.class, () -> matrix.row(3)).getMessage());
    }

    @Test
    void rowViewOfASealedMatrix_doesNotStore() {
        DoubleMatrix matrix = DoubleMatrix.of(2, 3);
        DoubleMatrix.Row early = Bound.named("input", matrix).row(1);
        ViewBinder.seal(matrix);

        for (DoubleMatrix.Row row : List.of(early, matrix.row(1))) {
            assertEquals(0, row.get(2));
            assertEquals(
                    "store to variable input, which is READ_ONLY since initialization ended",
                    assertThrows(IllegalStateException.class, () -> row.set(2, 1)).getMessage());
        }
    }

    @Test
    void rowViewOfAMatrixThatIsBoundLater_loadsAndStores() {
        DoubleMatrix matrix = DoubleMatrix.of(3, 4);
        DoubleMatrix.Row early = matrix.row(1);
        assertThrows(IllegalStateException.class, () -> early.get(2));
        assertThrows(IllegalStateException.class, () -> early.set(2, 1));

        Bound.named("later", matrix);
        early.set(2, 5);

        assertEquals(5, early.get(2));
        assertEquals(5, matrix.get(1, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> early.get(4));
    }

    @Test
    void shapesOutOfRange_areRefusedByShape() {
        String expected =
                "double[2][268435457] cannot be shared: rows are 1 or more, columns 1 to 268435456";
        assertEquals(
                expected,
                assertThrows(
                                IllegalArgumentException.class,
                                () -> DoubleMatrix.of(2, DoubleMatrix.COLUMNS_MAX + 1))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> DoubleMatrix.of(0, 1));
        assertThrows(IllegalArgumentException.class, () -> DoubleMatrix.of(1, 0));
    }
}
