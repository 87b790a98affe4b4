package io.muninn.api;

import io.muninn.api.spi.ViewSpec;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * A remote array of structs. A field of all structs is an array of its own, with the operations of
 * its type; keep it in a {@code final} field:
 *
 * <pre>{@code
 * static final StructLayout CELL = MemoryLayout.structLayout(
 *         ValueLayout.JAVA_LONG.withName("count"), ValueLayout.JAVA_DOUBLE.withName("mass"));
 *
 * @Shared final RemoteStructs cells = RemoteStructs.of(CELL, 1000);
 * private final RemoteLongs count = cells.longs("count");
 * private final RemoteDoubles mass = cells.doubles("mass");
 * ...
 * count.add(i, 1);
 * mass.add(i, 0.5);
 * }</pre>
 *
 * <p>Each operation is about one field of one struct. Copies of many elements of a field are made
 * by an aggregator. A field is no variable: only the structs are declared.
 *
 * @see RemoteVariable
 */
public final class RemoteStructs extends RemoteVariable {
    private final StructLayout layout;
    private final int length;

    private RemoteStructs(ViewSpec spec, StructLayout layout, int length) {
        super(spec, null);
        this.layout = layout;
        this.length = length;
    }

    /**
     * Declares an array of structs, one after the other.
     *
     * @param layout as for {@link StructArray#of}
     * @param length number of structs, at least 1
     * @throws IllegalArgumentException as {@link StructArray#of}
     */
    public static RemoteStructs of(StructLayout layout, int length) {
        String type = StructArray.of(layout, length).toString();
        long bytes = SharedVariable.checkedBytes(type, length, layout.byteSize());
        return new RemoteStructs(
                new ViewSpec("remote " + type, bytes, Integer.BYTES), layout, length);
    }

    /** Number of structs. */
    @Override
    public int length() {
        return length;
    }

    /** Layout of one struct. */
    public StructLayout layout() {
        return layout;
    }

    @Override
    long offset(int index) {
        if (Integer.compareUnsigned(index, length) >= 0) {
            throw outside("struct " + index);
        }
        return index * layout.byteSize();
    }

    /**
     * The fields of this name.
     *
     * @throws IllegalArgumentException if there are none of type {@code JAVA_LONG}
     */
    public RemoteLongs longs(String field) {
        long first = field(field, ValueLayout.OfLong.class);
        return RemoteLongs.field(field, this, first, layout.byteSize(), length);
    }

    /**
     * The fields of this name.
     *
     * @throws IllegalArgumentException if there are none of type {@code JAVA_INT}
     */
    public RemoteInts ints(String field) {
        long first = field(field, ValueLayout.OfInt.class);
        return RemoteInts.field(field, this, first, layout.byteSize(), length);
    }

    /**
     * The fields of this name.
     *
     * @throws IllegalArgumentException if there are none of type {@code JAVA_DOUBLE}
     */
    public RemoteDoubles doubles(String field) {
        long first = field(field, ValueLayout.OfDouble.class);
        return RemoteDoubles.field(field, this, first, layout.byteSize(), length);
    }

    private long field(String name, Class<? extends ValueLayout> type) {
        PathElement path = PathElement.groupElement(name);
        MemoryLayout field = layout.select(path);
        if (!type.isInstance(field)) {
            throw new IllegalArgumentException(
                    "field "
                            + name
                            + " of "
                            + this
                            + " is "
                            + field
                            + "; long, int and double fields have operations of their own");
        }
        return layout.byteOffset(path);
    }
}
