package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

/** Copies from a shared variable to another, or within one. */
class CopiesBetweenViewsTest {
    private static final int LENGTH = 3000; // of longs, on six pages

    private static LongArray numbered(String name) {
        LongArray view = Bound.named(name, LongArray.of(LENGTH));
        for (int i = 0; i < LENGTH; i++) {
            view.set(i, i);
        }
        return view;
    }

    private static long[] all(LongArray view) {
        long[] values = new long[view.length()];
        view.copyTo(0, values, 0, values.length);
        return values;
    }

    @Test
    void rangeOfAnotherVariable_isCopied() {
        LongArray source = numbered("source");
        LongArray target = Bound.named("target", LongArray.of(LENGTH));

        source.copyTo(10, target, 500, 2000);

        long[] expected = new long[LENGTH];
        System.arraycopy(all(source), 10, expected, 500, 2000);
        assertArrayEquals(expected, all(target));
    }

    @Test
    void overlappingRanges_areCopiedAsByArraycopy() {
        int[][] ranges = {{0, 1, 2999}, {1, 0, 2999}, {7, 600, 2000}, {600, 7, 2000}, {5, 5, 100}};
        for (int[] range : ranges) {
            LongArray view = numbered("view");
            long[] expected = all(view);

            view.copyTo(range[0], view, range[1], range[2]);

            System.arraycopy(expected, range[0], expected, range[1], range[2]);
            assertArrayEquals(expected, all(view));
        }
    }

    @Test
    void elementsOfOneType_areCopiedBetweenShapes() {
        DoubleMatrix matrix = Bound.named("m", DoubleMatrix.of(2, 3));
        DoubleCube cube = Bound.named("c", DoubleCube.of(2, 2, 2));
        DoubleArray array = Bound.named("a", DoubleArray.of(4));
        array.copyFrom(0, new double[] {1, 2, 3, 4}, 0, 4);

        array.copyTo(1, matrix, 2, 3);
        matrix.copyTo(0, cube, 1, 6);

        assertEquals(2, matrix.get(0, 2));
        assertEquals(4, matrix.get(1, 1));
        assertEquals(3, cube.get(1, 0, 0));
    }

    @Test
    void structs_areCopiedWithAllMembers() {
        StructLayout body =
                MemoryLayout.structLayout(
                        ValueLayout.JAVA_LONG.withName("a"),
                        MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_INT).withName("b"));
        StructArray source = Bound.named("source", StructArray.of(body, 10));
        StructArray target = StructArray.local(body, 5);
        source.setLong(8, 0, 7);
        source.setInt(9, 20, 9);

        source.copyTo(8, target, 0, 2);

        assertEquals(7, target.getLong(0, 0));
        assertEquals(9, target.getInt(1, 20));
        StructLayout other = MemoryLayout.structLayout(body.memberLayouts().getFirst());
        assertThrows(
                IllegalArgumentException.class,
                () -> source.copyTo(0, StructArray.local(other, 5), 0, 1));
    }

    @Test
    void wrongCopies_areRefusedByNameAndNothingIsStored() {
        LongArray source = numbered("source");
        LongArray small = Bound.named("small", LongArray.of(10));
        LongArray sealed = Bound.sealed("edge", LongArray.of(10));
        IntArray ints = Bound.named("ints", IntArray.of(10));

        assertEquals(
                "3 elements from 8 on of variable small, whose length is 10",
                message(IndexOutOfBoundsException.class, () -> source.copyTo(0, small, 8, 3)));
        assertEquals(
                "2 elements from 2999 on of variable source, whose length is 3000",
                message(IndexOutOfBoundsException.class, () -> source.copyTo(2999, small, 0, 2)));
        assertEquals(
                "-1 elements from 0 on of variable source, whose length is 3000",
                message(IndexOutOfBoundsException.class, () -> source.copyTo(0, small, 0, -1)));
        assertEquals(
                "store to variable edge, which is READ_ONLY since initialization ended",
                message(IllegalStateException.class, () -> source.copyTo(0, sealed, 0, 1)));
        assertEquals(
                "elements of variable source long[3000] cannot be copied to variable ints int[10]:"
                        + " the elements differ",
                message(IllegalArgumentException.class, () -> source.copyTo(0, ints, 0, 1)));
        assertThrows(IllegalStateException.class, () -> source.copyTo(0, LongArray.of(4), 0, 1));
        source.copyTo(LENGTH, small, 10, 0);
        assertArrayEquals(new long[10], all(small));
    }

    private static String message(Class<? extends RuntimeException> type, Runnable copy) {
        return assertThrows(type, copy::run).getMessage();
    }

    @Test
    void rangeFills_storeNothingBesideTheRange() {
        ByteArray bytes = Bound.named("b", ByteArray.of(5));
        ShortArray shorts = Bound.named("s", ShortArray.of(5));
        IntArray ints = Bound.named("i", IntArray.of(5));
        LongArray longs = Bound.named("l", LongArray.of(5));
        FloatArray floats = Bound.named("f", FloatArray.of(5));
        DoubleArray doubles = Bound.named("d", DoubleArray.of(5));

        bytes.fill(1, 3, (byte) -2);
        shorts.fill(1, 3, (short) -2);
        ints.fill(1, 3, -2);
        longs.fill(1, 3, -2);
        floats.fill(1, 3, -2.5f);
        doubles.fill(1, 3, -2.5);
        doubles.fill(4, 4, 9);

        for (int i = 0; i < 5; i++) {
            boolean isWithin = i == 1 || i == 2;
            assertEquals(isWithin ? -2 : 0, bytes.get(i));
            assertEquals(isWithin ? -2 : 0, shorts.get(i));
            assertEquals(isWithin ? -2 : 0, ints.get(i));
            assertEquals(isWithin ? -2 : 0, longs.get(i));
            assertEquals(isWithin ? -2.5f : 0, floats.get(i));
            assertEquals(isWithin ? -2.5 : 0, doubles.get(i));
        }
        assertEquals(
                "elements 3 to 6 of variable d, whose length is 5",
                message(IndexOutOfBoundsException.class, () -> doubles.fill(3, 6, 1)));
        assertEquals(
                "elements 3 to 2 of variable i, whose length is 5",
                message(IndexOutOfBoundsException.class, () -> ints.fill(3, 2, 1)));
    }
}
