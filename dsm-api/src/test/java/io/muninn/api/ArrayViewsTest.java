package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ArrayViewsTest {
    private static final int LENGTH = 10;

    /** One kind of view, and the tests' operations on it; every operation takes an index. */
    private record Kind(
            String name,
            SharedVariable view,
            ViewSpec expected,
            Consumer<Integer> load,
            Consumer<Integer> store,
            Runnable fill) {
        @Override
        public String toString() {
            return name;
        }

        static Kind of(
                SharedVariable view,
                String type,
                int granuleBytes,
                Consumer<Integer> load,
                Consumer<Integer> store,
                Runnable fill) {
            long bytes = (long) LENGTH * granuleBytes;
            ViewSpec expected = new ViewSpec(type + "[10]", bytes, granuleBytes);
            return new Kind(type, view, expected, load, store, fill);
        }
    }

    static Stream<Kind> kinds() {
        DoubleArray doubles = DoubleArray.of(LENGTH);
        FloatArray floats = FloatArray.of(LENGTH);
        LongArray longs = LongArray.of(LENGTH);
        IntArray ints = IntArray.of(LENGTH);
        ShortArray shorts = ShortArray.of(LENGTH);
        ByteArray bytes = ByteArray.of(LENGTH);
        return Stream.of(
                Kind.of(
                        doubles,
                        "double",
                        8,
                        doubles::get,
                        i -> doubles.set(i, 1),
                        () -> doubles.fill(1)),
                Kind.of(
                        floats,
                        "float",
                        4,
                        floats::get,
                        i -> floats.set(i, 1),
                        () -> floats.fill(1)),
                Kind.of(longs, "long", 8, longs::get, i -> longs.set(i, 1), () -> longs.fill(1)),
                Kind.of(ints, "int", 4, ints::get, i -> ints.set(i, 1), () -> ints.fill(1)),
                Kind.of(
                        shorts,
                        "short",
                        2,
                        shorts::get,
                        i -> shorts.set(i, (short) 1),
                        () -> shorts.fill((short) 1)),
                Kind.of(
                        bytes,
                        "byte",
                        1,
                        bytes::get,
                        i -> bytes.set(i, (byte) 1),
                        () -> bytes.fill((byte) 1)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void declaration_knowsItsShape(Kind kind) {
        assertEquals(kind.expected(), ViewBinder.spec(kind.view()));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void useBeforeBinding_saysWhenItMayBeUsed(Kind kind) {
        ViewBinder.name(kind.view(), "early");

        for (Runnable use :
                new Runnable[] {
                    () -> kind.load().accept(0), () -> kind.store().accept(0), kind.fill()
                }) {
            String text = assertThrows(IllegalStateException.class, use::run).getMessage();
            assertEquals(
                    "shared variable early "
                            + kind.expected().type()
                            + " has no memory yet: it may be used from DsmProgram.initialize on",
                    text);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void indexOutOfRange_namesVariableIndexAndLength(Kind kind) {
        Bound.named("data", kind.view());

        for (int index : new int[] {-1, LENGTH, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            String expected = "index " + index + " of variable data, whose length is 10";
            assertEquals(
                    expected,
                    assertThrows(IndexOutOfBoundsException.class, () -> kind.load().accept(index))
                            .getMessage());
            assertEquals(
                    expected,
                    assertThrows(IndexOutOfBoundsException.class, () -> kind.store().accept(index))
                            .getMessage());
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void storeAfterSealing_namesTheVariable(Kind kind) {
        Bound.named("edge", kind.view());
        kind.store().accept(3);
        ViewBinder.seal(kind.view());

        kind.load().accept(3);
        for (Runnable store : new Runnable[] {() -> kind.store().accept(3), kind.fill()}) {
            assertEquals(
                    "store to variable edge, which is READ_ONLY since initialization ended",
                    assertThrows(IllegalStateException.class, store::run).getMessage());
        }
    }

    @Test
    void elements_lieInMachineOrderWithoutPadding() {
        IntArray ints = Bound.named("ints", IntArray.of(4));
        ints.copyFrom(0, new int[] {1, 2, 3, 4}, 0, 4);

        MemorySegment middle = ints.segment(1, 3, Mode.READ);

        assertEquals(8, middle.byteSize());
        assertArrayEquals(new int[] {2, 3}, middle.toArray(ValueLayout.JAVA_INT));
    }

    @Test
    void roundTrips_keepTheValue() {
        DoubleArray doubles = Bound.named("d", DoubleArray.of(3));
        doubles.set(2, Math.PI);
        FloatArray floats = Bound.named("f", FloatArray.of(3));
        floats.set(2, 1.5f);
        LongArray longs = Bound.named("l", LongArray.of(3));
        longs.set(2, Long.MIN_VALUE);
        ShortArray shorts = Bound.named("s", ShortArray.of(3));
        shorts.set(2, (short) -7);
        ByteArray bytes = Bound.named("b", ByteArray.of(3));
        bytes.set(2, (byte) 200);

        assertEquals(Math.PI, doubles.get(2));
        assertEquals(0, doubles.get(1));
        assertEquals(1.5f, floats.get(2));
        assertEquals(Long.MIN_VALUE, longs.get(2));
        assertEquals(-7, shorts.get(2));
        assertEquals((byte) 200, bytes.get(2));
    }

    @Test
    void segmentForWriting_writesThrough_andForReading_refusesStores() {
        LongArray longs = Bound.named("l", LongArray.of(8));

        longs.segment(2, 4, Mode.WRITE).set(ValueLayout.JAVA_LONG, 8, 42);

        assertEquals(42, longs.get(3));
        assertTrue(longs.segment(2, 4, Mode.READ).isReadOnly());
    }

    @Test
    void segmentForWritingOfSealed_isRefused() {
        LongArray longs = Bound.sealed("edge", LongArray.of(8));

        assertTrue(longs.segment(0, 8, Mode.READ).isReadOnly());
        String text =
                assertThrows(IllegalStateException.class, () -> longs.segment(0, 8, Mode.WRITE))
                        .getMessage();
        assertTrue(text.contains("variable edge"), text);
    }

    @Test
    void refusedAccess_namesTheViewItWentThroughAmongMany() {
        LongArray unbound = LongArray.of(4);
        IntArray other = IntArray.of(5);
        ViewBinder.name(unbound, "unbound");
        ViewBinder.name(other, "other");
        LongArray bound = Bound.named("bound", LongArray.of(6));
        LongArray sealed = Bound.sealed("sealed", LongArray.of(7));

        assertTrue(
                assertThrows(IllegalStateException.class, () -> unbound.get(0))
                        .getMessage()
                        .startsWith("shared variable unbound long[4] has no memory yet"));
        assertTrue(
                assertThrows(IllegalStateException.class, () -> other.set(0, 1))
                        .getMessage()
                        .startsWith("shared variable other int[5] has no memory yet"));
        assertEquals(
                "index -3 of variable bound, whose length is 6",
                assertThrows(IndexOutOfBoundsException.class, () -> bound.get(-3)).getMessage());
        assertEquals(
                "index 7 of variable sealed, whose length is 7",
                assertThrows(IndexOutOfBoundsException.class, () -> sealed.get(7)).getMessage());
        assertEquals(
                "store to variable sealed, which is READ_ONLY since initialization ended",
                assertThrows(IllegalStateException.class, () -> sealed.set(0, 1)).getMessage());
    }

    @Test
    void rangeOutOfBounds_namesVariableRangeAndLength() {
        LongArray longs = Bound.named("l", LongArray.of(8));

        for (int[] range : new int[][] {{-1, 3}, {5, 4}, {0, 9}}) {
            assertEquals(
                    "elements "
                            + range[0]
                            + " to "
                            + range[1]
                            + " of variable l, whose length is 8",
                    assertThrows(
                                    IndexOutOfBoundsException.class,
                                    () -> longs.segment(range[0], range[1], Mode.READ))
                            .getMessage());
        }
        assertThrows(IndexOutOfBoundsException.class, () -> longs.copyTo(6, new long[8], 0, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> longs.copyFrom(6, new long[8], 0, 3));
        assertThrows(IndexOutOfBoundsException.class, () -> longs.copyTo(0, new long[8], 0, -1));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> longs.copyTo(1, new long[8], 0, Integer.MAX_VALUE));
    }

    @Test
    void bulkCopies_moveTheRangeAskedFor() {
        DoubleArray doubles = Bound.named("d", DoubleArray.of(6));
        doubles.fill(9);
        doubles.copyFrom(2, new double[] {0, 1, 2, 3}, 1, 2);
        double[] target = new double[5];

        doubles.copyTo(1, target, 1, 4);

        assertArrayEquals(new double[] {0, 9, 1, 2, 9}, target);
    }

    @Test
    void volatileAccess_addsAndCompares() {
        IntArray ints = Bound.named("i", IntArray.of(2));
        LongArray longs = Bound.named("l", LongArray.of(2));

        assertEquals(0, ints.getAndAdd(1, 5));
        assertTrue(ints.compareAndSet(1, 5, 6));
        assertFalse(ints.compareAndSet(1, 5, 7));
        ints.setVolatile(0, 8);
        assertEquals(8, ints.getVolatile(0));
        assertEquals(6, ints.get(1));
        assertEquals(0, longs.getAndAdd(1, 1L << 40));
        assertTrue(longs.compareAndSet(1, 1L << 40, 6));
        longs.setVolatile(0, 8);
        assertEquals(8, longs.getVolatile(0));
        assertEquals(6, longs.get(1));
    }

    @Test
    void orderedAccesses_loadAndStoreTheElement() {
        ByteArray bytes = Bound.named("b", ByteArray.of(3));
        ShortArray shorts = Bound.named("s", ShortArray.of(3));
        IntArray ints = Bound.named("i", IntArray.of(3));
        LongArray longs = Bound.named("l", LongArray.of(3));
        FloatArray floats = Bound.named("f", FloatArray.of(3));
        DoubleArray doubles = Bound.named("d", DoubleArray.of(3));

        bytes.setVolatile(1, (byte) -1);
        bytes.setRelease(2, (byte) -2);
        shorts.setVolatile(1, (short) -1);
        shorts.setRelease(2, (short) -2);
        ints.setVolatile(1, -1);
        ints.setRelease(2, -2);
        longs.setVolatile(1, -1);
        longs.setRelease(2, -2);
        floats.setVolatile(1, -1.5f);
        floats.setRelease(2, -2.5f);
        doubles.setVolatile(1, -1.5);
        doubles.setRelease(2, -2.5);

        for (int i = 0; i < 3; i++) {
            assertEquals(-i, bytes.getVolatile(i));
            assertEquals(-i, bytes.getAcquire(i));
            assertEquals(-i, shorts.getVolatile(i));
            assertEquals(-i, shorts.getAcquire(i));
            assertEquals(-i, ints.getVolatile(i));
            assertEquals(-i, ints.getAcquire(i));
            assertEquals(-i, longs.getVolatile(i));
            assertEquals(-i, longs.getAcquire(i));
            double half = i == 0 ? 0 : -i - 0.5;
            assertEquals(half, floats.getVolatile(i));
            assertEquals(half, floats.getAcquire(i));
            assertEquals(half, doubles.getVolatile(i));
            assertEquals(half, doubles.getAcquire(i));
        }
        assertThrows(IndexOutOfBoundsException.class, () -> floats.getAcquire(3));
        assertThrows(IndexOutOfBoundsException.class, () -> bytes.setRelease(-1, (byte) 0));
    }

    @Test
    void volatileAccess_hasTheSameErrors() {
        IntArray ints = Bound.named("i", IntArray.of(2));
        LongArray sealed = Bound.sealed("edge", LongArray.of(2));

        assertEquals(
                "index 2 of variable i, whose length is 2",
                assertThrows(IndexOutOfBoundsException.class, () -> ints.getVolatile(2))
                        .getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> ints.getAndAdd(-1, 1));
        for (Runnable store :
                new Runnable[] {
                    () -> sealed.setVolatile(0, 1),
                    () -> sealed.getAndAdd(0, 1),
                    () -> sealed.compareAndSet(0, 0, 1)
                }) {
            assertTrue(
                    assertThrows(IllegalStateException.class, store::run)
                            .getMessage()
                            .startsWith("store to variable edge"));
        }
        assertThrows(IllegalStateException.class, () -> LongArray.of(1).getVolatile(0));
    }

    @Test
    void lengthBelowOne_isRefusedWithTheShape() {
        assertEquals(
                "double[0] cannot be shared: 0 elements of 8 bytes",
                assertThrows(IllegalArgumentException.class, () -> DoubleArray.of(0)).getMessage());
        assertThrows(IllegalArgumentException.class, () -> ByteArray.of(-1));
    }

    @Test
    void secondBinding_isRefused() {
        DoubleArray doubles = Bound.named("d", DoubleArray.of(1));

        String text =
                assertThrows(IllegalStateException.class, () -> Bound.named("d", doubles))
                        .getMessage();

        assertEquals(
                "variable d belongs to a run already; make a new program for another run", text);
    }

    @Test
    void bindingToAnotherLength_isRefused() {
        DoubleArray doubles = DoubleArray.of(2);

        String text =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> ViewBinder.bind(doubles, "d", MemorySegment.NULL))
                        .getMessage();

        assertEquals("variable d double[2] needs 16 bytes, not 0", text);
    }

    @Test
    void bindingToTheHeap_isRefused() {
        DoubleArray doubles = DoubleArray.of(2);
        MemorySegment onHeap = MemorySegment.ofArray(new double[2]);

        String text =
                assertThrows(
                                IllegalArgumentException.class,
                                () -> ViewBinder.bind(doubles, "d", onHeap))
                        .getMessage();

        assertEquals("variable d double[2] needs memory outside the heap", text);
        assertThrows(IllegalStateException.class, () -> doubles.get(0));
    }

    @Test
    void localArray_isUsableAtOnceAndNotShareable() {
        DoubleArray local = DoubleArray.local(3);
        local.set(2, 5);

        assertEquals(5, local.get(2));
        assertEquals(
                "index 3 of variable (local), whose length is 3",
                assertThrows(IndexOutOfBoundsException.class, () -> local.get(3)).getMessage());
        assertEquals(
                "variable grid is local; declare a shared one with of(...)",
                assertThrows(IllegalStateException.class, () -> ViewBinder.name(local, "grid"))
                        .getMessage());
    }
}
