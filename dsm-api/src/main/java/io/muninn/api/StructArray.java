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
import java.util.Objects;

/**
 * A shared array of structs. Members are reached by their offset, which {@link #offset} finds by
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
 * A member is accessed with its own width: {@code getInt} for a {@code JAVA_INT}.
 *
 * @see SharedVariable
 */
public final class StructArray extends SharedVariable {
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
     * @param layout values of 1, 2, 4 or 8 bytes, structs and arrays of them and padding; every
     *     value at a multiple of its size, in every element of the array
     * @param length number of structs, at least 1
     * @throws IllegalArgumentException if the layout holds an address, has no values or a value out
     *     of alignment, or if {@code length} is less than 1
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
        long bytes = checkedBytes(type, length, layout.byteSize());
        return new StructArray(new ViewSpec(type, bytes, bounds[0]), layout, length);
    }

    /**
     * Makes an array that is not shared: the same view over plain memory of this process, zero at
     * first, freed when nothing refers to it.
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
     * Where a member lies in its struct, in bytes.
     *
     * @throws IllegalArgumentException if there is no member of that name
     */
    public long offset(String member) {
        return layout.byteOffset(PathElement.groupElement(member));
    }

    /** Loads the {@code byte} at {@code offset} of a struct. */
    public byte getByte(int index, long offset) {
        try {
            return memory.get(
                    ValueLayout.JAVA_BYTE, load(at(index, offset, Byte.BYTES), Byte.BYTES));
        } catch (RuntimeException cause) {
            throw refused(index, offset, Byte.BYTES, cause);
        }
    }

    /** Stores the {@code byte} at {@code offset} of a struct. */
    public void setByte(int index, long offset, byte value) {
        try {
            memory.set(
                    ValueLayout.JAVA_BYTE, store(at(index, offset, Byte.BYTES), Byte.BYTES), value);
        } catch (RuntimeException cause) {
            throw refused(index, offset, Byte.BYTES, cause);
        }
    }

    /** Loads the {@code short} at {@code offset} of a struct. */
    public short getShort(int index, long offset) {
        try {
            return memory.get(
                    ValueLayout.JAVA_SHORT, load(at(index, offset, Short.BYTES), Short.BYTES));
        } catch (RuntimeException cause) {
            throw refused(index, offset, Short.BYTES, cause);
        }
    }

    /** Stores the {@code short} at {@code offset} of a struct. */
    public void setShort(int index, long offset, short value) {
        try {
            memory.set(
                    ValueLayout.JAVA_SHORT,
                    store(at(index, offset, Short.BYTES), Short.BYTES),
                    value);
        } catch (RuntimeException cause) {
            throw refused(index, offset, Short.BYTES, cause);
        }
    }

    /** Loads the {@code int} at {@code offset} of a struct. */
    public int getInt(int index, long offset) {
        try {
            return memory.get(
                    ValueLayout.JAVA_INT, load(at(index, offset, Integer.BYTES), Integer.BYTES));
        } catch (RuntimeException cause) {
            throw refused(index, offset, Integer.BYTES, cause);
        }
    }

    /** Stores the {@code int} at {@code offset} of a struct. */
    public void setInt(int index, long offset, int value) {
        try {
            memory.set(
                    ValueLayout.JAVA_INT,
                    store(at(index, offset, Integer.BYTES), Integer.BYTES),
                    value);
        } catch (RuntimeException cause) {
            throw refused(index, offset, Integer.BYTES, cause);
        }
    }

    /** Loads the {@code long} at {@code offset} of a struct. */
    public long getLong(int index, long offset) {
        try {
            return memory.get(
                    ValueLayout.JAVA_LONG, load(at(index, offset, Long.BYTES), Long.BYTES));
        } catch (RuntimeException cause) {
            throw refused(index, offset, Long.BYTES, cause);
        }
    }

    /** Stores the {@code long} at {@code offset} of a struct. */
    public void setLong(int index, long offset, long value) {
        try {
            memory.set(
                    ValueLayout.JAVA_LONG, store(at(index, offset, Long.BYTES), Long.BYTES), value);
        } catch (RuntimeException cause) {
            throw refused(index, offset, Long.BYTES, cause);
        }
    }

    /** Loads the {@code float} at {@code offset} of a struct. */
    public float getFloat(int index, long offset) {
        try {
            return memory.get(
                    ValueLayout.JAVA_FLOAT, load(at(index, offset, Float.BYTES), Float.BYTES));
        } catch (RuntimeException cause) {
            throw refused(index, offset, Float.BYTES, cause);
        }
    }

    /** Stores the {@code float} at {@code offset} of a struct. */
    public void setFloat(int index, long offset, float value) {
        try {
            memory.set(
                    ValueLayout.JAVA_FLOAT,
                    store(at(index, offset, Float.BYTES), Float.BYTES),
                    value);
        } catch (RuntimeException cause) {
            throw refused(index, offset, Float.BYTES, cause);
        }
    }

    /** Loads the {@code double} at {@code offset} of a struct. */
    public double getDouble(int index, long offset) {
        try {
            return memory.get(
                    ValueLayout.JAVA_DOUBLE, load(at(index, offset, Double.BYTES), Double.BYTES));
        } catch (RuntimeException cause) {
            throw refused(index, offset, Double.BYTES, cause);
        }
    }

    /** Stores the {@code double} at {@code offset} of a struct. */
    public void setDouble(int index, long offset, double value) {
        try {
            memory.set(
                    ValueLayout.JAVA_DOUBLE,
                    store(at(index, offset, Double.BYTES), Double.BYTES),
                    value);
        } catch (RuntimeException cause) {
            throw refused(index, offset, Double.BYTES, cause);
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
     * The offset is checked here, or it would reach into another struct; the index by the segment.
     */
    private long at(int index, long offset, int width) {
        if ((offset & (width - 1)) != 0) {
            throw new IndexOutOfBoundsException("offset out of alignment");
        }
        return index * structBytes + Objects.checkIndex(offset, structBytes - width + 1);
    }

    private RuntimeException refused(int index, long offset, int width, RuntimeException cause) {
        return refused(
                width + " bytes at offset " + offset + " of struct " + index,
                "length is " + length + " and struct " + structBytes + " bytes, aligned by width",
                cause);
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
