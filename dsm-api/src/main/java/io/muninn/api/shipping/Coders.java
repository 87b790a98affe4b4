package io.muninn.api.shipping;

import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The schema of types: the types of arguments and results of shipped calls, and the bytes of their
 * values.
 *
 * <pre>
 * boolean, byte            u8
 * short, char, int, float  u32
 * long, double             i64
 * a reference              u8: 0 for null, else 1 and
 *   box                    its primitive
 *   String                 u32 bytes, {@link TextBytes}
 *   enum                   name as a String
 *   primitive array        u32 count, elements in the machine's byte order
 *   List                   u32 count, elements
 *   Map                    u32 count, keys and values in turn, in the map's order
 *   Optional               u8: 0 empty, 1 and the value
 *   record                 its components
 *   sealed interface       u32 index of the record or enum among all permitted ones by name, and it
 * </pre>
 *
 * The structure of a type is examined once. A type may contain itself; a value must not.
 */
final class Coders {
    /** The permitted types, for error messages. */
    static final String PERMITTED =
            "what travels is primitives and their boxes, String, enums, primitive arrays, records,"
                    + " sealed interfaces of records, and List, Map and Optional of these";

    private final Map<String, Coder> known = new LinkedHashMap<>();

    /**
     * Returns the coder of a type.
     *
     * @throws IllegalArgumentException if the type is not permitted; the text names it
     */
    Coder of(Type type) {
        return of(ClosedType.of(type, Map.of()));
    }

    static IllegalArgumentException refused(String type) {
        return new IllegalArgumentException("type " + type + " does not travel; " + PERMITTED);
    }

    private Coder of(ClosedType type) {
        Class<?> raw = type.raw();
        if (raw.isPrimitive()) {
            return LeafCoders.primitive(raw);
        }
        Coder found = known.get(type.name());
        if (found != null) {
            return found;
        }
        Optional<Coder> leaf = LeafCoders.of(raw);
        if (leaf.isPresent()) {
            return leaf.get();
        }
        if (type.isRaw()) {
            throw refused(type.name());
        }
        List<ClosedType> arguments = type.arguments();
        if (raw == List.class) {
            return list(of(arguments.getFirst()));
        }
        if (raw == Map.class) {
            return map(of(arguments.getFirst()), of(arguments.getLast()));
        }
        if (raw == Optional.class) {
            return optional(of(arguments.getFirst()));
        }
        if (raw.isRecord()) {
            return record(type);
        }
        if (raw.isInterface() && raw.isSealed()) {
            return sealed(type);
        }
        throw refused(type.name());
    }

    // ---- types that contain others ----

    /** Placeholder for a type whose structure is being examined. */
    private static final class Later implements Coder {
        private Coder found = LeafCoders.NOTHING;

        @Override
        public void write(@Nullable Object value, ByteSink out, int depth) {
            found.write(value, out, depth);
        }

        @Override
        public @Nullable Object read(ByteSource in) {
            return found.read(in);
        }
    }

    private Coder record(ClosedType type) {
        Later later = new Later();
        known.put(type.name(), later);
        List<Coder> components = new ArrayList<>();
        for (RecordComponent component : type.raw().getRecordComponents()) {
            components.add(of(ClosedType.of(component.getGenericType(), type.bindings())));
        }
        Coder made = new RecordCoder(type.raw(), components);
        later.found = LeafCoders.nullable(made::write, made::read);
        return later;
    }

    private Coder sealed(ClosedType type) {
        Later later = new Later();
        known.put(type.name(), later);
        TreeMap<String, ClosedType> permitted = new TreeMap<>();
        collectPermitted(type, permitted);
        List<String> names = List.copyOf(permitted.keySet());
        List<Coder> coders = permitted.values().stream().map(this::of).toList();
        later.found =
                LeafCoders.nullable(
                        (value, out, depth) -> {
                            int index = names.indexOf(permittedName(value));
                            if (index < 0) {
                                throw new IllegalArgumentException(
                                        "a value of "
                                                + value.getClass().getTypeName()
                                                + " does not travel as "
                                                + type.name());
                            }
                            out.u32(index);
                            coders.get(index).write(value, out, depth);
                        },
                        in -> coders.get(in.index(names.size())).read(in));
        return later;
    }

    private static void collectPermitted(ClosedType type, Map<String, ClosedType> found) {
        Class<?> raw = type.raw();
        if (raw.isRecord() || raw.isEnum()) {
            found.put(raw.getTypeName(), type);
        } else if (raw.isInterface() && raw.isSealed()) {
            for (Class<?> each : raw.getPermittedSubclasses()) {
                type.implementedBy(each).ifPresent(closed -> collectPermitted(closed, found));
            }
        } else {
            throw refused(type.name());
        }
    }

    private static String permittedName(Object value) {
        Class<?> type =
                value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
        return type.getTypeName();
    }

    private static Coder list(Coder element) {
        return LeafCoders.nullable(
                (value, out, depth) -> {
                    List<?> source = (List<?>) value;
                    out.u32(source.size());
                    for (Object each : source) {
                        element.write(each, out, depth);
                    }
                },
                in -> {
                    int count = in.count(1);
                    List<@Nullable Object> made = new ArrayList<>();
                    for (int i = 0; i < count; i++) {
                        made.add(element.read(in));
                    }
                    return made;
                });
    }

    private static Coder map(Coder key, Coder value) {
        return LeafCoders.nullable(
                (source, out, depth) -> {
                    Map<?, ?> map = (Map<?, ?>) source;
                    out.u32(map.size());
                    map.forEach((k, v) -> {
                        key.write(k, out, depth);
                        value.write(v, out, depth);
                    });
                },
                in -> {
                    int count = in.count(2);
                    Map<@Nullable Object, @Nullable Object> made = new LinkedHashMap<>();
                    for (int i = 0; i < count; i++) {
                        Object k = key.read(in);
                        made.put(k, value.read(in));
                    }
                    return made;
                });
    }

    private static Coder optional(Coder inner) {
        return LeafCoders.nullable(
                (value, out, depth) -> inner.write(((Optional<?>) value).orElse(null), out, depth),
                in -> Optional.ofNullable(inner.read(in)));
    }
}
