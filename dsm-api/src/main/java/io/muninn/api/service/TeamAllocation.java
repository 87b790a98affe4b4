package io.muninn.api.service;

import io.muninn.api.ByteArray;
import io.muninn.api.DoubleArray;
import io.muninn.api.DoubleCube;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.FloatArray;
import io.muninn.api.FloatCube;
import io.muninn.api.FloatMatrix;
import io.muninn.api.Home;
import io.muninn.api.IntArray;
import io.muninn.api.IntMatrix;
import io.muninn.api.LongArray;
import io.muninn.api.LongMatrix;
import io.muninn.api.Protocol;
import io.muninn.api.SharedVariable;
import io.muninn.api.ShortArray;
import io.muninn.api.shipping.ValueCoder;
import io.muninn.api.spi.ViewBinder;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A variable that a team allocates: every thread makes a view of its shape and stores it in the
 * field of the program with the variable's name.
 *
 * @param shape as views describe it, such as {@code double[8][16]}
 */
record TeamAllocation(String name, String shape, Protocol protocol, Home home) {
    private static final Pattern LENGTH = Pattern.compile("\\[(\\d+)\\]");

    /**
     * @throws IllegalArgumentException if the program has no field for it, or if a view cannot be
     *     made from its description
     * @throws IllegalStateException if the view is in use
     */
    static TeamAllocation of(
            Object program, String name, SharedVariable view, Protocol protocol, Home home) {
        if (!view.name().isEmpty()) {
            throw new IllegalStateException(
                    "variable '" + name + "' needs a new shape: " + view + " is in use");
        }
        String shape = ViewBinder.spec(view).type();
        TeamAllocation allocation = new TeamAllocation(name, shape, protocol, home);
        allocation.newView();
        Field field = allocation.field(program);
        if (!field.getType().isInstance(view)) {
            throw allocation.noField(program);
        }
        return allocation;
    }

    byte[] encode() {
        return ValueCoder.of(TeamAllocation.class).write(this);
    }

    static TeamAllocation decode(byte[] bytes) {
        return ValueCoder.of(TeamAllocation.class).read(bytes);
    }

    /** An unbound view of the shape. */
    SharedVariable newView() {
        int[] lengths =
                LENGTH.matcher(shape)
                        .results()
                        .map(MatchResult::group)
                        .mapToInt(each -> Integer.parseInt(each.substring(1, each.length() - 1)))
                        .toArray();
        String type = shape.substring(0, shape.indexOf('['));
        return switch (lengths.length) {
            case 1 -> newArray(type, lengths[0]);
            case 2 -> newMatrix(type, lengths[0], lengths[1]);
            case 3 -> newCube(type, lengths[0], lengths[1], lengths[2]);
            default -> throw notAllocated();
        };
    }

    private SharedVariable newArray(String type, int length) {
        return switch (type) {
            case "byte" -> ByteArray.of(length);
            case "short" -> ShortArray.of(length);
            case "int" -> IntArray.of(length);
            case "long" -> LongArray.of(length);
            case "float" -> FloatArray.of(length);
            case "double" -> DoubleArray.of(length);
            default -> throw notAllocated();
        };
    }

    private SharedVariable newMatrix(String type, int rows, int columns) {
        return switch (type) {
            case "int" -> IntMatrix.of(rows, columns);
            case "long" -> LongMatrix.of(rows, columns);
            case "float" -> FloatMatrix.of(rows, columns);
            case "double" -> DoubleMatrix.of(rows, columns);
            default -> throw notAllocated();
        };
    }

    private SharedVariable newCube(String type, int planes, int rows, int columns) {
        return switch (type) {
            case "float" -> FloatCube.of(planes, rows, columns);
            case "double" -> DoubleCube.of(planes, rows, columns);
            default -> throw notAllocated();
        };
    }

    private IllegalArgumentException notAllocated() {
        return new IllegalArgumentException(
                "variable '"
                        + name
                        + "', "
                        + shape
                        + ", cannot be allocated by a team: declare it, or allocate it in"
                        + " run(DsmNode)");
    }

    /** Stores a view in the program's field. */
    void assign(Object program, SharedVariable view) {
        try {
            field(program).set(program, view);
        } catch (IllegalAccessException | IllegalArgumentException cause) {
            throw new IllegalArgumentException(noField(program).getMessage(), cause);
        }
    }

    /**
     * The variable of this name that the program has allocated.
     *
     * @throws IllegalArgumentException if it has not
     */
    static SharedVariable made(Object program, String name) {
        try {
            Optional<Field> field = field(program, name);
            if (field.isPresent()
                    && field.get().get(program) instanceof SharedVariable view
                    && view.name().equals(name)) {
                return view;
            }
        } catch (IllegalAccessException impossible) { // it has been made accessible
            throw new IllegalStateException(impossible);
        }
        throw new IllegalArgumentException(
                "variable '"
                        + name
                        + "' cannot be sealed: the team of "
                        + program.getClass().getName()
                        + " has not allocated it");
    }

    private Field field(Object program) {
        return field(program, name).orElseThrow(() -> noField(program));
    }

    private static Optional<Field> field(Object program, String name) {
        for (Class<?> type = program.getClass(); type != null; type = type.getSuperclass()) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                if ((field.getModifiers() & (Modifier.STATIC | Modifier.FINAL)) == 0) {
                    return Optional.of(field);
                }
            } catch (NoSuchFieldException inSuperclass) {
                // the next one is asked
            } catch (InaccessibleObjectException cause) {
                throw new IllegalArgumentException(
                        "field " + name + " is not open to io.muninn.api", cause);
            }
        }
        return Optional.empty();
    }

    private IllegalArgumentException noField(Object program) {
        return new IllegalArgumentException(
                "variable '"
                        + name
                        + "', "
                        + shape
                        + ", cannot be allocated: "
                        + program.getClass().getName()
                        + " needs a field of this name and type, neither static nor final, in which"
                        + " bodies find it on every node");
    }
}
