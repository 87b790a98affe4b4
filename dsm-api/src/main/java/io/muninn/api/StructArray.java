package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.SequenceLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * A shared array of structs. A member is accessed by its offset, which {@link #offset} finds by
 * name; keep it in a {@code final} field:
 *
 * <pre>{@code
 * static final StructLayout BODY = MemoryLayout.structLayout(
 *         ValueLayout.JAVA_DOUBLE.withName("x"), ValueLayout.JAVA_DOUBLE.withName("mass"));
 *
 * @Shared(Protocol.WRITE_SHARED) final StructArray bodies = StructArray.of(BODY, 1000);
 * private final long mass = bodies.offset("mass");
 * ...
 * double m = bodies.getDouble(i, mass);
 * }</pre>
 *
 * <p>The granule is the smallest member: nodes may store to neighbouring members at the same time
 * under {@link Protocol#WRITE_SHARED}. Stores narrower than that need {@link Shared#byteGranular}.
 * Access a member with its own width: {@code getInt} for a {@code JAVA_INT}.
 *
 * <p>All values are in the machine's byte order, {@link ByteOrder#nativeOrder}. A layout with a
 * value in another order is refused.
 *
 * @see SharedVariable
 */
public final class StructArray extends SharedVariable {
    /**
     * Largest size of a struct in bytes, 2^31. With it no struct's offset overflows, at any index.
     */
    public static final long STRUCT_BYTES_MAX = 1L << 31;

    private final StructLayout layout;
    private final int length;
    private final long structBytes;

    private StructArray(ViewSpec spec, StructLayout layout, int length) {
        super(spec);
        this.layout = layout;
        this.length = length;
        this.structBytes = layout.byteSize();
    }

    /**
     * Declares an array of structs, one after the other.
     *
     * @param layout values of 1, 2, 4 or 8 bytes in the machine's byte order, structs and arrays of
     *     them, and padding; every value is aligned to its size in every element of the array; at
     *     most {@link #STRUCT_BYTES_MAX} bytes
     * @param length number of structs, at least 1
     * @throws IllegalArgumentException if the layout contains an address, has no values, has a
     *     value that is misaligned or in another byte order, or is too large, or if {@code length}
     *     is less than 1
     */
    public static StructArray of(StructLayout layout, int length) {
        StringBuilder text = new StringBuilder("struct");
        int[] bounds = {Long.BYTES + 1, 0};
        describe(layout, 0, text, bounds);
        String type = text + "[" + length + "]";
        if (bounds[1] == 0) {
            throw new IllegalArgumentException(type + " cannot be shared: it holds no values");
        }
        if (layout.byteSize() % bounds[1] != 0) {
            throw new IllegalArgumentException(
                    type
                            + " cannot be shared: its size of "
                            + layout.byteSize()
                            + " bytes puts the second struct out of alignment");
        }
        if (layout.byteSize() > STRUCT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    type
                            + " cannot be shared: a struct of "
                            + layout.byteSize()
                            + " bytes is above "
                            + STRUCT_BYTES_MAX);
        }
        long bytes = checkedBytes(type, length, layout.byteSize());
        return new StructArray(new ViewSpec(type, bytes, bounds[0]), layout, length);
    }

    /**
     * Creates an array that is not shared: the same view over plain memory of this process. The
     * elements are initially zero; the memory is freed when it is no longer reachable.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static StructArray local(StructLayout layout, int length) {
        StructArray view = of(layout, length);
        view.bindLocally();
        return view;
    }

    /** Number of structs. */
    public int length() {
        return length;
    }

    @Override
    long elementBytes() {
        return structBytes;
    }

    /** Layout of one struct. */
    public StructLayout layout() {
        return layout;
    }

    /**
     * The offset of a member in its struct, in bytes.
     *
     * @throws IllegalArgumentException if there is no member of that name
     */
    public long offset(String member) {
        return layout.byteOffset(PathElement.groupElement(member));
    }

    /** Loads the {@code byte} at {@code offset} of a struct. */
    public byte getByte(int index, long offset) {
        MemorySegment structs = memory;
        long at = at(index, offset, Byte.BYTES);
        try {
            return structs.get(ValueLayout.JAVA_BYTE, load(at, Byte.BYTES));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Stores the {@code byte} at {@code offset} of a struct. */
    public void setByte(int index, long offset, byte value) {
        MemorySegment structs = memory;
        long at = at(index, offset, Byte.BYTES);
        try {
            structs.set(ValueLayout.JAVA_BYTE, store(at, Byte.BYTES), value);
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Loads the {@code short} at {@code offset} of a struct. */
    public short getShort(int index, long offset) {
        MemorySegment structs = memory;
        long at = at(index, offset, Short.BYTES);
        try {
            return structs.get(ValueLayout.JAVA_SHORT, load(at, Short.BYTES));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Stores the {@code short} at {@code offset} of a struct. */
    public void setShort(int index, long offset, short value) {
        MemorySegment structs = memory;
        long at = at(index, offset, Short.BYTES);
        try {
            structs.set(ValueLayout.JAVA_SHORT, store(at, Short.BYTES), value);
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Loads the {@code int} at {@code offset} of a struct. */
    public int getInt(int index, long offset) {
        MemorySegment structs = memory;
        long at = at(index, offset, Integer.BYTES);
        try {
            return structs.get(ValueLayout.JAVA_INT, load(at, Integer.BYTES));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Stores the {@code int} at {@code offset} of a struct. */
    public void setInt(int index, long offset, int value) {
        MemorySegment structs = memory;
        long at = at(index, offset, Integer.BYTES);
        try {
            structs.set(ValueLayout.JAVA_INT, store(at, Integer.BYTES), value);
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Loads the {@code long} at {@code offset} of a struct. */
    public long getLong(int index, long offset) {
        MemorySegment structs = memory;
        long at = at(index, offset, Long.BYTES);
        try {
            return structs.get(ValueLayout.JAVA_LONG, load(at, Long.BYTES));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Stores the {@code long} at {@code offset} of a struct. */
    public void setLong(int index, long offset, long value) {
        MemorySegment structs = memory;
        long at = at(index, offset, Long.BYTES);
        try {
            structs.set(ValueLayout.JAVA_LONG, store(at, Long.BYTES), value);
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Loads the {@code float} at {@code offset} of a struct. */
    public float getFloat(int index, long offset) {
        MemorySegment structs = memory;
        long at = at(index, offset, Float.BYTES);
        try {
            return structs.get(ValueLayout.JAVA_FLOAT, load(at, Float.BYTES));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Stores the {@code float} at {@code offset} of a struct. */
    public void setFloat(int index, long offset, float value) {
        MemorySegment structs = memory;
        long at = at(index, offset, Float.BYTES);
        try {
            structs.set(ValueLayout.JAVA_FLOAT, store(at, Float.BYTES), value);
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Loads the {@code double} at {@code offset} of a struct. */
    public double getDouble(int index, long offset) {
        MemorySegment structs = memory;
        long at = at(index, offset, Double.BYTES);
        try {
            return structs.get(ValueLayout.JAVA_DOUBLE, load(at, Double.BYTES));
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /** Stores the {@code double} at {@code offset} of a struct. */
    public void setDouble(int index, long offset, double value) {
        MemorySegment structs = memory;
        long at = at(index, offset, Double.BYTES);
        try {
            structs.set(ValueLayout.JAVA_DOUBLE, store(at, Double.BYTES), value);
        } catch (RuntimeException cause) {
            throw RefusedAccess.of(structs, at, cause);
        }
    }

    /**
     * The memory of structs {@code from} (inclusive) to {@code to} (exclusive), for bulk code and
     * the layout's own handles. Stores narrower than the smallest member need {@link
     * Shared#byteGranular}.
     *
     * @return {@code (to - from) * layout().byteSize()} bytes, read-only if {@code mode} is {@link
     *     Mode#READ}
     */
    public MemorySegment segment(int from, int to, Mode mode) {
        return slice(from, to, length, structBytes, mode);
    }

    /**
     * Checks the offset, which could otherwise reach into another struct. The segment checks the
     * index.
     */
    private long at(int index, long offset, int width) {
        try {
            if ((offset & (width - 1)) != 0) {
                throw new IndexOutOfBoundsException("offset out of alignment");
            }
            return index * structBytes + Objects.checkIndex(offset, structBytes - width + 1);
        } catch (IndexOutOfBoundsException cause) {
            throw refused(width + " bytes at " + place(index, offset), cause);
        }
    }

    @Override
    String place(long offset) {
        return place(Math.floorDiv(offset, structBytes), Math.floorMod(offset, structBytes));
    }

    private static String place(long index, long offset) {
        return "offset " + offset + " of struct " + index;
    }

    @Override
    String shape() {
        return "length is " + length + " and struct " + structBytes + " bytes, aligned by width";
    }

    /** Appends the layout in words; keeps the smallest and the largest value in {@code bounds}. */
    private static void describe(
            MemoryLayout layout, long offset, StringBuilder text, int[] bounds) {
        switch (layout) {
            case PaddingLayout _ -> {}
            case AddressLayout _ ->
                    throw new IllegalArgumentException(
                            layout + " cannot be shared: an address means nothing on another node");
            case ValueLayout value -> describeValue(value, offset, text, bounds);
            case SequenceLayout sequence -> {
                text.append('[').append(sequence.elementCount()).append("]*");
                MemoryLayout element = sequence.elementLayout();
                int[] inner = {bounds[0], 0};
                describe(element, offset, text, inner);
                if (inner[1] != 0 && element.byteSize() % inner[1] != 0) {
                    throw new IllegalArgumentException(
                            layout + " cannot be shared: its second element is out of alignment");
                }
                bounds[0] = Math.min(bounds[0], inner[0]);
                bounds[1] = Math.max(bounds[1], inner[1]);
            }
            case GroupLayout group -> {
                text.append('{');
                long at = offset;
                for (MemoryLayout member : group.memberLayouts()) {
                    describe(member, at, text, bounds);
                    at += group instanceof StructLayout ? member.byteSize() : 0;
                }
                text.append('}');
            }
        }
    }

    private static void describeValue(
            ValueLayout value, long offset, StringBuilder text, int[] bounds) {
        int bytes = (int) value.byteSize();
        if (offset % bytes != 0) {
            throw new IllegalArgumentException(
                    value + " cannot be shared: offset " + offset + " is out of alignment");
        }
        if (bytes > 1 && value.order() != ByteOrder.nativeOrder()) {
            throw new IllegalArgumentException(
                    value
                            + " at offset "
                            + offset
                            + " cannot be shared: it is "
                            + value.order()
                            + ", and shared values are "
                            + ByteOrder.nativeOrder()
                            + "; use withOrder(ByteOrder.nativeOrder()), and reverse the bytes"
                            + " where they are exchanged with others");
        }
        text.append(value.name().orElse(""))
                .append(':')
                .append(value.carrier().getSimpleName())
                .append('@')
                .append(offset)
                .append(';');
        bounds[0] = Math.min(bounds[0], bytes);
        bounds[1] = Math.max(bounds[1], bytes);
    }
}
