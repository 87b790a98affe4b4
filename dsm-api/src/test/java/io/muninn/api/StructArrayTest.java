package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class StructArrayTest {
    private static final StructLayout BODY =
            MemoryLayout.structLayout(
                    ValueLayout.JAVA_DOUBLE.withName("x"),
                    ValueLayout.JAVA_INT.withName("charge"),
                    ValueLayout.JAVA_SHORT.withName("kind"),
                    MemoryLayout.paddingLayout(2));

    @Test
    void granule_isTheSmallestMember() {
        ViewSpec spec = ViewBinder.spec(StructArray.of(BODY, 5));

        assertEquals(
                new ViewSpec("struct{x:double@0;charge:int@8;kind:short@12;}[5]", 80, 2), spec);
    }

    @Test
    void granuleOfNestedLayouts_isTheSmallestValueInside() {
        StructLayout nested =
                MemoryLayout.structLayout(
                        BODY.withName("body"),
                        MemoryLayout.sequenceLayout(4, ValueLayout.JAVA_FLOAT).withName("f"));

        assertEquals(2, ViewBinder.spec(StructArray.of(nested, 1)).granuleBytes());
    }

    @Test
    void members_keepTheirValues() {
        StructArray bodies = Bound.named("bodies", StructArray.of(BODY, 3));
        long x = bodies.offset("x");
        long charge = bodies.offset("charge");
        long kind = bodies.offset("kind");

        bodies.setDouble(2, x, 2.5);
        bodies.setInt(2, charge, -1);
        bodies.setShort(2, kind, (short) 9);

        assertEquals(2.5, bodies.getDouble(2, x));
        assertEquals(-1, bodies.getInt(2, charge));
        assertEquals(9, bodies.getShort(2, kind));
        assertEquals(0, bodies.getInt(1, charge));
        assertEquals(2.5, bodies.segment(2, 3, Mode.READ).get(ValueLayout.JAVA_DOUBLE, 0));
    }

    @Test
    void orderedAccesses_loadAndStoreTheMember() {
        StructLayout layout =
                MemoryLayout.structLayout(
                        ValueLayout.JAVA_DOUBLE.withName("d"),
                        ValueLayout.JAVA_LONG.withName("l"),
                        ValueLayout.JAVA_FLOAT.withName("f"),
                        ValueLayout.JAVA_INT.withName("i"),
                        ValueLayout.JAVA_SHORT.withName("s"),
                        ValueLayout.JAVA_BYTE.withName("b"),
                        MemoryLayout.paddingLayout(5));
        StructArray array = Bound.named("a", StructArray.of(layout, 3));

        array.setDoubleVolatile(1, 0, -1);
        array.setDoubleRelease(2, 0, -2);
        array.setLongVolatile(1, 8, -1);
        array.setLongRelease(2, 8, -2);
        array.setFloatVolatile(1, 16, -1);
        array.setFloatRelease(2, 16, -2);
        array.setIntVolatile(1, 20, -1);
        array.setIntRelease(2, 20, -2);
        array.setShortVolatile(1, 24, (short) -1);
        array.setShortRelease(2, 24, (short) -2);
        array.setByteVolatile(1, 26, (byte) -1);
        array.setByteRelease(2, 26, (byte) -2);

        for (int i = 0; i < 3; i++) {
            assertEquals(-i, array.getDoubleVolatile(i, 0));
            assertEquals(-i, array.getDoubleAcquire(i, 0));
            assertEquals(-i, array.getLongVolatile(i, 8));
            assertEquals(-i, array.getLongAcquire(i, 8));
            assertEquals(-i, array.getFloatVolatile(i, 16));
            assertEquals(-i, array.getFloatAcquire(i, 16));
            assertEquals(-i, array.getIntVolatile(i, 20));
            assertEquals(-i, array.getIntAcquire(i, 20));
            assertEquals(-i, array.getShortVolatile(i, 24));
            assertEquals(-i, array.getShortAcquire(i, 24));
            assertEquals(-i, array.getByteVolatile(i, 26));
            assertEquals(-i, array.getByteAcquire(i, 26));
        }
    }

    @Test
    void updates_areOfTheMemberAndReturnWhatWasThere() {
        StructArray array =
                Bound.named(
                        "a",
                        StructArray.of(
                                MemoryLayout.structLayout(
                                        ValueLayout.JAVA_LONG.withName("l"),
                                        ValueLayout.JAVA_INT.withName("i"),
                                        ValueLayout.JAVA_INT.withName("next")),
                                2));

        assertEquals(0, array.getAndAddInt(1, 8, 5));
        assertTrue(array.compareAndSetInt(1, 8, 5, -6));
        assertFalse(array.compareAndSetInt(1, 8, 5, 7));
        assertEquals(0, array.getAndAddLong(1, 0, 1L << 40));
        assertTrue(array.compareAndSetLong(1, 0, 1L << 40, 6));
        assertFalse(array.compareAndSetLong(1, 0, 1L << 40, 7));

        assertEquals(-6, array.getInt(1, 8));
        assertEquals(6, array.getLong(1, 0));
        assertEquals(0, array.getInt(1, 12));
        assertThrows(IndexOutOfBoundsException.class, () -> array.getAndAddLong(1, 4, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> array.getIntVolatile(1, 16));
        assertThrows(IndexOutOfBoundsException.class, () -> array.setIntRelease(2, 8, 1));
    }

    @Test
    void everyWidth_roundTrips() {
        StructLayout words =
                MemoryLayout.structLayout(
                        MemoryLayout.sequenceLayout(16, ValueLayout.JAVA_BYTE).withName("bytes"));
        StructArray array = Bound.named("words", StructArray.of(words, 2));

        array.setLong(1, 8, Long.MAX_VALUE);
        array.setFloat(1, 4, 0.5f);
        array.setByte(1, 1, (byte) -3);

        assertEquals(Long.MAX_VALUE, array.getLong(1, 8));
        assertEquals(0.5f, array.getFloat(1, 4));
        assertEquals(-3, array.getByte(1, 1));
        assertEquals(0, array.getLong(0, 8));
    }

    @Test
    void offsetOutsideTheStruct_neverReachesAnotherStruct() {
        StructArray bodies = Bound.named("bodies", StructArray.of(BODY, 3));

        for (long offset : new long[] {-8, 16, 12, 4}) {
            assertEquals(
                    "8 bytes at offset "
                            + offset
                            + " of struct 1 of variable bodies, whose length is 3 and struct 16"
                            + " bytes, aligned by width",
                    assertThrows(IndexOutOfBoundsException.class, () -> bodies.getDouble(1, offset))
                            .getMessage());
        }
    }

    @Test
    void indexOutOfRange_namesStructAndOffset() {
        StructArray bodies = Bound.named("bodies", StructArray.of(BODY, 3));

        for (int index : new int[] {-1, 3, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            String expected =
                    "offset 8 of struct " + index + " of variable bodies, whose length is 3";
            for (Executable access :
                    new Executable[] {
                        () -> bodies.getInt(index, 8), () -> bodies.setInt(index, 8, 1)
                    }) {
                String text = assertThrows(IndexOutOfBoundsException.class, access).getMessage();
                assertTrue(text.startsWith(expected), text);
            }
        }
    }

    @Test
    void sealedStructs_loadButDoNotStore() {
        StructArray bodies = Bound.sealed("bodies", StructArray.of(BODY, 3));

        assertEquals(0, bodies.getInt(0, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> bodies.getDouble(0, 4));
        assertTrue(
                assertThrows(IllegalStateException.class, () -> bodies.setInt(0, 8, 1))
                        .getMessage()
                        .startsWith("store to variable bodies"));
    }

    @Test
    void layoutsThatCannotBeShared_areRefused() {
        StructLayout pointer = MemoryLayout.structLayout(ValueLayout.ADDRESS.withName("next"));
        StructLayout crooked =
                MemoryLayout.structLayout(ValueLayout.JAVA_BYTE, ValueLayout.JAVA_INT_UNALIGNED);
        StructLayout ragged =
                MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_BYTE);
        StructLayout huge =
                MemoryLayout.structLayout(
                        MemoryLayout.sequenceLayout((1L << 31) + 1, ValueLayout.JAVA_BYTE));
        StructLayout empty = MemoryLayout.structLayout(MemoryLayout.paddingLayout(8));

        assertRefused(pointer, "an address means nothing on another node");
        assertRefused(crooked, "offset 1 is out of alignment");
        assertRefused(ragged, "its size of 9 bytes puts the second struct out of alignment");
        assertRefused(empty, "it holds no values");
        assertRefused(huge, "a struct of 2147483649 bytes is above 2147483648");
    }

    private static final ByteOrder OTHER =
            ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                    ? ByteOrder.BIG_ENDIAN
                    : ByteOrder.LITTLE_ENDIAN;

    @Test
    void valueInAnotherByteOrder_isRefusedWhereverItIs() {
        for (ValueLayout value :
                List.of(
                        ValueLayout.JAVA_SHORT,
                        ValueLayout.JAVA_CHAR,
                        ValueLayout.JAVA_INT,
                        ValueLayout.JAVA_LONG,
                        ValueLayout.JAVA_FLOAT,
                        ValueLayout.JAVA_DOUBLE)) {
            ValueLayout other = value.withOrder(OTHER);
            StructLayout bare = MemoryLayout.structLayout(value, other.withName("other"));
            StructLayout nested = MemoryLayout.structLayout(bare);
            StructLayout sequence =
                    MemoryLayout.structLayout(MemoryLayout.sequenceLayout(3, other));
            StructLayout union = MemoryLayout.structLayout(MemoryLayout.unionLayout(value, other));

            for (StructLayout layout : List.of(bare, nested, sequence, union)) {
                assertRefused(layout, "cannot be shared: it is " + OTHER + ", and shared values");
            }
            assertRefused(bare, "(other) at offset " + value.byteSize() + " cannot");
        }
    }

    @Test
    void byteOrderOfASingleByte_doesNotMatter() {
        StructLayout flags =
                MemoryLayout.structLayout(
                        ValueLayout.JAVA_BYTE.withOrder(OTHER),
                        ValueLayout.JAVA_BOOLEAN.withOrder(OTHER));

        assertEquals(1, ViewBinder.spec(StructArray.of(flags, 2)).granuleBytes());
    }

    @Test
    void accessors_agreeWithTheHandlesOfTheLayout() {
        StructArray bodies = Bound.named("bodies", StructArray.of(BODY, 3));

        bodies.setInt(1, bodies.offset("charge"), 258);

        Object seen =
                BODY.varHandle(MemoryLayout.PathElement.groupElement("charge"))
                        .get(bodies.segment(1, 2, Mode.READ), 0L);
        assertEquals(258, seen);
    }

    private static void assertRefused(StructLayout layout, String because) {
        String text =
                assertThrows(IllegalArgumentException.class, () -> StructArray.of(layout, 2))
                        .getMessage();
        assertTrue(text.contains(because), text);
    }
}
