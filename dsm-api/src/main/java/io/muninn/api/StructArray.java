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
import java.lang.invoke.VarHandle;
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

    private static final VarHandle BYTES = ValueLayout.JAVA_BYTE.varHandle();
    private static final VarHandle SHORTS = ValueLayout.JAVA_SHORT.varHandle();
    private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle FLOATS = ValueLayout.JAVA_FLOAT.varHandle();
    private static final VarHandle DOUBLES = ValueLayout.JAVA_DOUBLE.varHandle();

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

    @Override
    String elementType() {
        return spec.type().substring(0, spec.type().lastIndexOf('['));
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

    /** Loads the {@code byte} at {@code offset} of a struct, as a volatile load. */
    public byte getByteVolatile(int index, long offset) {
        return (byte) BYTES.getVolatile(memory, loadAt(index, offset, Byte.BYTES));
    }

    /** Stores the {@code byte} at {@code offset} of a struct, as a volatile store. */
    public void setByteVolatile(int index, long offset, byte value) {
        BYTES.setVolatile(memory, storeAt(index, offset, Byte.BYTES), value);
    }

    /** As {@link #getByteVolatile}, with the memory effects of {@link VarHandle#getAcquire}. */
    public byte getByteAcquire(int index, long offset) {
        return (byte) BYTES.getAcquire(memory, loadAt(index, offset, Byte.BYTES));
    }

    /** As {@link #setByteVolatile}, with the memory effects of {@link VarHandle#setRelease}. */
    public void setByteRelease(int index, long offset, byte value) {
        BYTES.setRelease(memory, storeAt(index, offset, Byte.BYTES), value);
    }

    /** Loads the {@code short} at {@code offset} of a struct, as a volatile load. */
    public short getShortVolatile(int index, long offset) {
        return (short) SHORTS.getVolatile(memory, loadAt(index, offset, Short.BYTES));
    }

    /** Stores the {@code short} at {@code offset} of a struct, as a volatile store. */
    public void setShortVolatile(int index, long offset, short value) {
        SHORTS.setVolatile(memory, storeAt(index, offset, Short.BYTES), value);
    }

    /** As {@link #getShortVolatile}, with the memory effects of {@link VarHandle#getAcquire}. */
    public short getShortAcquire(int index, long offset) {
        return (short) SHORTS.getAcquire(memory, loadAt(index, offset, Short.BYTES));
    }

    /** As {@link #setShortVolatile}, with the memory effects of {@link VarHandle#setRelease}. */
    public void setShortRelease(int index, long offset, short value) {
        SHORTS.setRelease(memory, storeAt(index, offset, Short.BYTES), value);
    }

    /** Loads the {@code int} at {@code offset} of a struct, as a volatile load. */
    public int getIntVolatile(int index, long offset) {
        return (int) INTS.getVolatile(memory, loadAt(index, offset, Integer.BYTES));
    }

    /** Stores the {@code int} at {@code offset} of a struct, as a volatile store. */
    public void setIntVolatile(int index, long offset, int value) {
        INTS.setVolatile(memory, storeAt(index, offset, Integer.BYTES), value);
    }

    /** As {@link #getIntVolatile}, with the memory effects of {@link VarHandle#getAcquire}. */
    public int getIntAcquire(int index, long offset) {
        return (int) INTS.getAcquire(memory, loadAt(index, offset, Integer.BYTES));
    }

    /** As {@link #setIntVolatile}, with the memory effects of {@link VarHandle#setRelease}. */
    public void setIntRelease(int index, long offset, int value) {
        INTS.setRelease(memory, storeAt(index, offset, Integer.BYTES), value);
    }

    /** Loads the {@code long} at {@code offset} of a struct, as a volatile load. */
    public long getLongVolatile(int index, long offset) {
        return (long) LONGS.getVolatile(memory, loadAt(index, offset, Long.BYTES));
    }

    /** Stores the {@code long} at {@code offset} of a struct, as a volatile store. */
    public void setLongVolatile(int index, long offset, long value) {
        LONGS.setVolatile(memory, storeAt(index, offset, Long.BYTES), value);
    }

    /** As {@link #getLongVolatile}, with the memory effects of {@link VarHandle#getAcquire}. */
    public long getLongAcquire(int index, long offset) {
        return (long) LONGS.getAcquire(memory, loadAt(index, offset, Long.BYTES));
    }

    /** As {@link #setLongVolatile}, with the memory effects of {@link VarHandle#setRelease}. */
    public void setLongRelease(int index, long offset, long value) {
        LONGS.setRelease(memory, storeAt(index, offset, Long.BYTES), value);
    }

    /** Loads the {@code float} at {@code offset} of a struct, as a volatile load. */
    public float getFloatVolatile(int index, long offset) {
        return (float) FLOATS.getVolatile(memory, loadAt(index, offset, Float.BYTES));
    }

    /** Stores the {@code float} at {@code offset} of a struct, as a volatile store. */
    public void setFloatVolatile(int index, long offset, float value) {
        FLOATS.setVolatile(memory, storeAt(index, offset, Float.BYTES), value);
    }

    /** As {@link #getFloatVolatile}, with the memory effects of {@link VarHandle#getAcquire}. */
    public float getFloatAcquire(int index, long offset) {
        return (float) FLOATS.getAcquire(memory, loadAt(index, offset, Float.BYTES));
    }

    /** As {@link #setFloatVolatile}, with the memory effects of {@link VarHandle#setRelease}. */
    public void setFloatRelease(int index, long offset, float value) {
        FLOATS.setRelease(memory, storeAt(index, offset, Float.BYTES), value);
    }

    /** Loads the {@code double} at {@code offset} of a struct, as a volatile load. */
    public double getDoubleVolatile(int index, long offset) {
        return (double) DOUBLES.getVolatile(memory, loadAt(index, offset, Double.BYTES));
    }

    /** Stores the {@code double} at {@code offset} of a struct, as a volatile store. */
    public void setDoubleVolatile(int index, long offset, double value) {
        DOUBLES.setVolatile(memory, storeAt(index, offset, Double.BYTES), value);
    }

    /** As {@link #getDoubleVolatile}, with the memory effects of {@link VarHandle#getAcquire}. */
    public double getDoubleAcquire(int index, long offset) {
        return (double) DOUBLES.getAcquire(memory, loadAt(index, offset, Double.BYTES));
    }

    /** As {@link #setDoubleVolatile}, with the memory effects of {@link VarHandle#setRelease}. */
    public void setDoubleRelease(int index, long offset, double value) {
        DOUBLES.setRelease(memory, storeAt(index, offset, Double.BYTES), value);
    }

    /**
     * Adds to the {@code int} at {@code offset} of a struct; atomic as {@link IntArray#getAndAdd}.
     *
     * @return the previous value
     * @throws IllegalStateException as {@link IntArray#getAndAdd}
     */
    public int getAndAddInt(int index, long offset, int amount) {
        link.requireAtomic("getAndAddInt");
        return (int) INTS.getAndAdd(memory, storeAt(index, offset, Integer.BYTES), amount);
    }

    /**
     * Stores {@code next} if the {@code int} at {@code offset} of a struct is {@code expected};
     * atomic as {@link IntArray#compareAndSet}.
     *
     * @return true if the member was {@code expected}
     * @throws IllegalStateException as {@link IntArray#getAndAdd}
     */
    public boolean compareAndSetInt(int index, long offset, int expected, int next) {
        link.requireAtomic("compareAndSetInt");
        long at = storeAt(index, offset, Integer.BYTES);
        return INTS.compareAndSet(memory, at, expected, next);
    }

    /**
     * Adds to the {@code long} at {@code offset} of a struct; atomic as {@link
     * LongArray#getAndAdd}.
     *
     * @return the previous value
     * @throws IllegalStateException as {@link LongArray#getAndAdd}
     */
    public long getAndAddLong(int index, long offset, long amount) {
        link.requireAtomic("getAndAddLong");
        return (long) LONGS.getAndAdd(memory, storeAt(index, offset, Long.BYTES), amount);
    }

    /**
     * Stores {@code next} if the {@code long} at {@code offset} of a struct is {@code expected};
     * atomic as {@link LongArray#compareAndSet}.
     *
     * @return true if the member was {@code expected}
     * @throws IllegalStateException as {@link LongArray#getAndAdd}
     */
    public boolean compareAndSetLong(int index, long offset, long expected, long next) {
        link.requireAtomic("compareAndSetLong");
        long at = storeAt(index, offset, Long.BYTES);
        return LONGS.compareAndSet(memory, at, expected, next);
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
        return slice(from, to, mode);
    }

    private long loadAt(int index, long offset, int width) {
        return load(checkedOffset(index, offset, width, loadable), width);
    }

    private long storeAt(int index, long offset, int width) {
        return store(checkedOffset(index, offset, width, storable), width);
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
