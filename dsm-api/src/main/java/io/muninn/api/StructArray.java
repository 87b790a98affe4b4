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
import java.lang.ref.Reference;
import java.nio.ByteOrder;

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

    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED;

    private final StructLayout layout;
    private final int length;
    private final long structBytes;

    private StructArray(ViewSpec spec, StructLayout layout, int length) {
        super(spec, length);
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
        long at = load(checkedOffset(index, offset, Byte.BYTES, loadable), Byte.BYTES);
        byte value = elements().get(ValueLayout.JAVA_BYTE, at(at));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores the {@code byte} at {@code offset} of a struct. */
    public void setByte(int index, long offset, byte value) {
        long at = store(checkedOffset(index, offset, Byte.BYTES, storable), Byte.BYTES);
        elements().set(ValueLayout.JAVA_BYTE, at(at), value);
        Reference.reachabilityFence(this);
    }

    /** Loads the {@code short} at {@code offset} of a struct. */
    public short getShort(int index, long offset) {
        long at = load(checkedOffset(index, offset, Short.BYTES, loadable), Short.BYTES);
        short value = elements().get(SHORT, at(at));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores the {@code short} at {@code offset} of a struct. */
    public void setShort(int index, long offset, short value) {
        long at = store(checkedOffset(index, offset, Short.BYTES, storable), Short.BYTES);
        elements().set(SHORT, at(at), value);
        Reference.reachabilityFence(this);
    }

    /** Loads the {@code int} at {@code offset} of a struct. */
    public int getInt(int index, long offset) {
        long at = load(checkedOffset(index, offset, Integer.BYTES, loadable), Integer.BYTES);
        int value = elements().get(INT, at(at));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores the {@code int} at {@code offset} of a struct. */
    public void setInt(int index, long offset, int value) {
        long at = store(checkedOffset(index, offset, Integer.BYTES, storable), Integer.BYTES);
        elements().set(INT, at(at), value);
        Reference.reachabilityFence(this);
    }

    /** Loads the {@code long} at {@code offset} of a struct. */
    public long getLong(int index, long offset) {
        long at = load(checkedOffset(index, offset, Long.BYTES, loadable), Long.BYTES);
        long value = elements().get(LONG, at(at));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores the {@code long} at {@code offset} of a struct. */
    public void setLong(int index, long offset, long value) {
        long at = store(checkedOffset(index, offset, Long.BYTES, storable), Long.BYTES);
        elements().set(LONG, at(at), value);
        Reference.reachabilityFence(this);
    }

    /** Loads the {@code float} at {@code offset} of a struct. */
    public float getFloat(int index, long offset) {
        long at = load(checkedOffset(index, offset, Float.BYTES, loadable), Float.BYTES);
        float value = elements().get(FLOAT, at(at));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores the {@code float} at {@code offset} of a struct. */
    public void setFloat(int index, long offset, float value) {
        long at = store(checkedOffset(index, offset, Float.BYTES, storable), Float.BYTES);
        elements().set(FLOAT, at(at), value);
        Reference.reachabilityFence(this);
    }

    /** Loads the {@code double} at {@code offset} of a struct. */
    public double getDouble(int index, long offset) {
        long at = load(checkedOffset(index, offset, Double.BYTES, loadable), Double.BYTES);
        double value = elements().get(DOUBLE, at(at));
        Reference.reachabilityFence(this); // its memory is used up to here
        return value;
    }

    /** Stores the {@code double} at {@code offset} of a struct. */
    public void setDouble(int index, long offset, double value) {
        long at = store(checkedOffset(index, offset, Double.BYTES, storable), Double.BYTES);
        elements().set(DOUBLE, at(at), value);
        Reference.reachabilityFence(this);
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

    /** Checks both: an offset that is too large is another struct's. */
    private long checkedOffset(int index, long offset, int width, int limit) {
        boolean isAligned = (offset & (width - 1)) == 0;
        if (!isAligned || offset < 0 || offset > structBytes - width) {
            throw refused(width + " bytes at " + place(index, offset));
        }
        if (Integer.compareUnsigned(index, limit) >= 0) {
            throw refused(place(index, offset), index);
        }
        return AllMemory.within(index * structBytes) + offset;
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
