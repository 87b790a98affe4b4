package io.muninn.api.shipping;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Coders of types that contain no other types; {@link Coders} gives the formats. */
final class LeafCoders {
    private LeafCoders() {}

    /** Returns the coder of a class, if it is such a type. */
    static Optional<Coder> of(Class<?> type) {
        if (type == String.class) {
            return Optional.of(
                    nullable((value, out, _) -> out.text((String) value), ByteSource::text));
        }
        if (type.isEnum()) {
            return Optional.of(enumeration(type));
        }
        if (type.isArray()) {
            return Optional.of(array(type));
        }
        return BOXES.containsKey(type)
                ? Optional.of(nullable(primitive(BOXES.get(type))))
                : Optional.empty();
    }

    private static final Map<Class<?>, Class<?>> BOXES =
            Map.of(
                    Boolean.class, boolean.class,
                    Byte.class, byte.class,
                    Short.class, short.class,
                    Character.class, char.class,
                    Integer.class, int.class,
                    Float.class, float.class,
                    Long.class, long.class,
                    Double.class, double.class,
                    Void.class, void.class);

    static Coder primitive(Class<?> type) {
        return switch (type.getName()) {
            case "boolean" -> plain((v, out) -> out.u8((Boolean) v ? 1 : 0), in -> in.u8() != 0);
            case "byte" -> plain((v, out) -> out.u8((Byte) v), in -> (byte) in.u8());
            case "short" -> plain((v, out) -> out.u32((Short) v), in -> (short) in.u32());
            case "char" -> plain((v, out) -> out.u32((Character) v), in -> (char) in.u32());
            case "int" -> plain((v, out) -> out.u32((Integer) v), ByteSource::u32);
            case "float" ->
                    plain(
                            (v, out) -> out.u32(Float.floatToRawIntBits((Float) v)),
                            in -> Float.intBitsToFloat(in.u32()));
            case "long" -> plain((v, out) -> out.i64((Long) v), ByteSource::i64);
            case "double" ->
                    plain(
                            (v, out) -> out.i64(Double.doubleToRawLongBits((Double) v)),
                            in -> Double.longBitsToDouble(in.i64()));
            default -> NOTHING; // void
        };
    }

    /** The coder of {@code void}. */
    static final Coder NOTHING =
            new Coder() {
                @Override
                public void write(@Nullable Object value, ByteSink out, int depth) {}

                @Override
                public @Nullable Object read(ByteSource in) {
                    return null;
                }
            };

    private static Coder plain(
            BiConsumer<Object, ByteSink> write, Function<ByteSource, Object> read) {
        return new Coder() {
            @Override
            public void write(@Nullable Object value, ByteSink out, int depth) {
                if (value == null) {
                    throw new IllegalArgumentException("null is no value of a primitive");
                }
                write.accept(value, out);
            }

            @Override
            public Object read(ByteSource in) {
                return read.apply(in);
            }
        };
    }

    // ---- references ----

    /** Writes a value that is not null. */
    interface Write {
        void write(Object value, ByteSink out, int depth);
    }

    private static Coder nullable(Coder inner) {
        return nullable(inner::write, inner::read);
    }

    static Coder nullable(Write write, Function<ByteSource, @Nullable Object> read) {
        return new Coder() {
            @Override
            public void write(@Nullable Object value, ByteSink out, int depth) {
                if (value == null) {
                    out.u8(0);
                    return;
                }
                if (depth > DEPTH_MAX) {
                    throw new IllegalArgumentException(
                            "a value of "
                                    + value.getClass().getTypeName()
                                    + " is nested more than "
                                    + DEPTH_MAX
                                    + " levels deep");
                }
                out.u8(1);
                write.write(value, out, depth + 1);
            }

            @Override
            public @Nullable Object read(ByteSource in) {
                return in.u8() == 0 ? null : read.apply(in);
            }
        };
    }

    private static Coder enumeration(Class<?> type) {
        Map<String, Object> constants = new LinkedHashMap<>();
        for (Object constant : type.getEnumConstants()) {
            constants.put(((Enum<?>) constant).name(), constant);
        }
        return nullable(
                (value, out, _) -> out.text(((Enum<?>) value).name()),
                in -> constants.get(in.text()));
    }

    private static Coder array(Class<?> type) {
        return switch (type.getTypeName()) {
            case "boolean[]" -> booleans();
            case "byte[]" -> array(a -> MemorySegment.ofArray((byte[]) a), byte[]::new, 1);
            case "short[]" -> array(a -> MemorySegment.ofArray((short[]) a), short[]::new, 2);
            case "char[]" -> array(a -> MemorySegment.ofArray((char[]) a), char[]::new, 2);
            case "int[]" -> array(a -> MemorySegment.ofArray((int[]) a), int[]::new, 4);
            case "float[]" -> array(a -> MemorySegment.ofArray((float[]) a), float[]::new, 4);
            case "long[]" -> array(a -> MemorySegment.ofArray((long[]) a), long[]::new, 8);
            case "double[]" -> array(a -> MemorySegment.ofArray((double[]) a), double[]::new, 8);
            default -> throw Coders.refused(type.getTypeName());
        };
    }

    private static Coder array(
            Function<Object, MemorySegment> memory, IntFunction<Object> make, int elementBytes) {
        return nullable(
                (value, out, _) -> out.array(memory.apply(value), elementBytes),
                in -> {
                    Object made = make.apply(in.count(elementBytes));
                    in.elements(memory.apply(made));
                    return made;
                });
    }

    private static Coder booleans() {
        return nullable(
                (value, out, _) -> {
                    boolean[] source = (boolean[]) value;
                    out.u32(source.length);
                    for (boolean element : source) {
                        out.u8(element ? 1 : 0);
                    }
                },
                in -> {
                    boolean[] made = new boolean[in.count(1)];
                    for (int i = 0; i < made.length; i++) {
                        made[i] = in.u8() != 0;
                    }
                    return made;
                });
    }
}
