package io.muninn.api.service;

import io.muninn.api.Loop;
import io.muninn.api.spi.Elements;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The loops of a program: its fields, and the elements of arrays and lists of loops, numbered in
 * order of name, the same on every node.
 */
final class LoopTable {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    /** Names of the loops, in order. */
    private final List<String> names;

    private final List<Loop<?, ?>> loops;
    private final String program;

    private LoopTable(String program, SortedMap<String, Loop<?, ?>> found) {
        this.program = program;
        names = List.copyOf(found.keySet());
        loops = List.copyOf(found.values());
    }

    /**
     * @throws IllegalArgumentException if a field cannot be read or has no loop
     */
    static LoopTable of(Object program) {
        SortedMap<String, Loop<?, ?>> found = new TreeMap<>();
        for (Class<?> type = program.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (holdsLoops(field.getGenericType())) {
                    Elements.forEach(
                            field.getName(),
                            value(field, program),
                            (name, value) -> found.putIfAbsent(name, loop(name, value)));
                }
            }
        }
        return new LoopTable(program.getClass().getName(), found);
    }

    /** A loop, or an array or list of them. */
    private static boolean holdsLoops(Type type) {
        return switch (type) {
            case Class<?> plain ->
                    plain == Loop.class || plain.isArray() && holdsLoops(plain.componentType());
            case GenericArrayType array -> holdsLoops(array.getGenericComponentType());
            case ParameterizedType generic ->
                    generic.getRawType() == Loop.class
                            || generic.getRawType() == List.class
                                    && holdsLoops(generic.getActualTypeArguments()[0]);
            default -> false;
        };
    }

    private static @Nullable Object value(Field field, Object program) {
        try {
            field.setAccessible(true);
            return field.get(program);
        } catch (IllegalAccessException | InaccessibleObjectException cause) {
            throw new IllegalArgumentException(
                    "field " + field.getName() + " is not open to io.muninn.api", cause);
        }
    }

    private static Loop<?, ?> loop(String name, @Nullable Object value) {
        if (value instanceof Loop<?, ?> loop) {
            return loop;
        }
        throw new IllegalArgumentException("loop " + name + " is null");
    }

    Loop<?, ?> loop(int number) {
        return loops.get(number);
    }

    String name(int number) {
        return names.get(number);
    }

    /**
     * @throws IllegalArgumentException if the loop is not declared
     */
    int number(Loop<?, ?> loop) {
        for (int i = 0; i < loops.size(); i++) {
            if (loops.get(i) == loop) {
                return i;
            }
        }
        throw new IllegalArgumentException(
                "the loop is no field of "
                        + program
                        + ", so other nodes do not know it; declared are "
                        + this);
    }

    /** Equal on nodes that declare the same loops. */
    long fingerprint() {
        String text = toString();
        long hash = FNV_OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return hash;
    }

    /** The names with parameters, numbers of indices if there are several, and results. */
    @Override
    public String toString() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < loops.size(); i++) {
            String result = loops.get(i).reduction().map(reduction -> ", " + reduction).orElse("");
            int rank = loops.get(i).rank();
            String indices = rank > 1 ? ", " + rank + " indices" : "";
            String parameters = loops.get(i).parameters().getName();
            all.add(names.get(i) + " (" + parameters + indices + result + ")");
        }
        return all.toString();
    }
}
