package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.spi.ViewBinder;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Views of more bytes than a buffer can have, over a file that is almost entirely a hole. */
class LargeViewsTest {
    private static final int LONGS = 300_000_000;
    private static final int ROWS = 3000;
    private static final int COLUMNS = 100_000;

    private final Arena arena = Arena.ofConfined();

    @TempDir private Path folder;

    @AfterEach
    void unmap() {
        arena.close();
    }

    private <V extends SharedVariable> V bound(String name, V view) throws IOException {
        try (FileChannel file =
                FileChannel.open(
                        folder.resolve(name),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            long bytes = ViewBinder.spec(view).bytes();
            ViewBinder.bind(view, name, file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena));
        }
        return view;
    }

    @Test
    void array_isAccessibleFromItsFirstElementToItsLast() throws IOException {
        LongArray longs = bound("longs", LongArray.of(LONGS));

        longs.set(0, 7);
        longs.set(LONGS - 1, 9);

        assertEquals(7, longs.get(0));
        assertEquals(9, longs.get(LONGS - 1));
        assertEquals(9, longs.getVolatile(LONGS - 1));
        for (int index : new int[] {-1, LONGS, Integer.MAX_VALUE}) {
            String expected = "index " + index + " of variable longs, whose length is " + LONGS;
            assertEquals(
                    expected,
                    assertThrows(IndexOutOfBoundsException.class, () -> longs.get(index))
                            .getMessage());
            assertEquals(
                    expected,
                    assertThrows(IndexOutOfBoundsException.class, () -> longs.set(index, 1))
                            .getMessage());
        }
    }

    @Test
    void sealedArray_loadsButDoesNotStore() throws IOException {
        LongArray longs = bound("input", LongArray.of(LONGS));
        longs.set(LONGS - 1, 9);

        ViewBinder.seal(longs);

        assertEquals(9, longs.get(LONGS - 1));
        assertEquals(
                "store to variable input, which is READ_ONLY since initialization ended",
                assertThrows(IllegalStateException.class, () -> longs.set(0, 1)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> longs.get(LONGS));
    }

    @Test
    void matrixAndItsRows_areAccessibleFromTheFirstElementToTheLast() throws IOException {
        DoubleMatrix matrix = bound("grid", DoubleMatrix.of(ROWS, COLUMNS));
        DoubleMatrix.Row last = matrix.row(ROWS - 1);

        matrix.set(0, 0, 1);
        last.set(COLUMNS - 1, 2);

        assertEquals(1, matrix.row(0).get(0));
        assertEquals(2, matrix.get(ROWS - 1, COLUMNS - 1));
        assertEquals(
                "row 2999, column 100000 of variable grid, whose rows are 3000 and columns 100000",
                assertThrows(IndexOutOfBoundsException.class, () -> last.get(COLUMNS))
                        .getMessage());
        assertEquals(
                "row 3000, column 1 of variable grid, whose rows are 3000 and columns 100000",
                assertThrows(IndexOutOfBoundsException.class, () -> matrix.set(ROWS, 1, 0))
                        .getMessage());
    }
}
