package io.muninn.api.shipping;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The recipe by which another node recreates an exception: one of the usual constructors of
 * exceptions, with the message. A constructor may do anything with a message, and leaves fields at
 * its own values. So the node that threw also makes a replica, and compares it. An exception
 * without an equal replica is not rethrown with its own type.
 *
 * @param constructor 0 to {@link #CONSTRUCTORS} - 1
 * @param message of the exception; null if it has none
 */
record Replica(int constructor, @Nullable String message) {
    /** Parameters of the constructors, in the order in which they are tried. */
    private static final List<List<Class<?>>> SHAPES =
            List.of(List.of(String.class, Throwable.class), List.of(String.class), List.of());

    static final int CONSTRUCTORS = SHAPES.size();

    /** Returns a replica with equal message, text and fields, except transient ones. */
    static Optional<Replica> of(Throwable thrown) {
        for (int i = 0; i < CONSTRUCTORS; i++) {
            try {
                Replica replica = new Replica(i, thrown.getMessage());
                Throwable cause = new Throwable("a cause");
                Optional<Throwable> made = replica.make(thrown.getClass(), cause);
                if (made.isPresent() && isEqual(thrown, made.get())) {
                    return Optional.of(replica);
                }
            } catch (Throwable ofItsOwnMethods) {
                // no equal one by this constructor
            }
        }
        return Optional.empty();
    }

    /**
     * Makes an exception with that cause. If its constructor fixes another cause, the exception
     * suppresses {@code cause} instead.
     *
     * @return nothing if the type has no such constructor, if its message would be another, or if
     *     {@code cause} cannot be attached
     */
    Optional<Throwable> make(Class<?> type, Throwable cause) {
        Class<?>[] shape = SHAPES.get(constructor).toArray(Class<?>[]::new);
        try {
            Constructor<?> found = type.getDeclaredConstructor(shape);
            found.trySetAccessible();
            @Nullable Object[] all = {message, cause};
            Throwable made = (Throwable) found.newInstance(Arrays.copyOf(all, shape.length));
            return Objects.equals(made.getMessage(), message) && attach(made, cause)
                    ? Optional.of(made)
                    : Optional.empty();
        } catch (Throwable unsuitable) { // its methods may throw anything, too
            return Optional.empty();
        }
    }

    private static boolean attach(Throwable made, Throwable cause) {
        if (made.getCause() == cause) {
            return true;
        }
        try {
            made.initCause(cause);
        } catch (IllegalStateException isFixed) {
            made.addSuppressed(cause);
        }
        return made.getCause() == cause || List.of(made.getSuppressed()).contains(cause);
    }

    // ---- comparison ----

    private static boolean isEqual(Throwable thrown, Throwable made)
            throws ReflectiveOperationException {
        boolean areEqual = thrown.toString().equals(made.toString());
        for (Class<?> type = thrown.getClass();
                areEqual && type != Throwable.class;
                type = type.getSuperclass()) {
            areEqual = hasEqualFields(type, thrown, made);
        }
        return areEqual;
    }

    /** Compares the getters of a class whose fields are not accessible, such as one of the JDK. */
    private static boolean hasEqualFields(Class<?> type, Throwable thrown, Throwable made)
            throws ReflectiveOperationException {
        List<Field> fields =
                Arrays.stream(type.getDeclaredFields()).filter(Replica::isKept).toList();
        if (fields.stream().allMatch(AccessibleObject::trySetAccessible)) {
            for (Field field : fields) {
                if (!Objects.deepEquals(field.get(thrown), field.get(made))) {
                    return false;
                }
            }
            return true;
        }
        for (Method method : type.getMethods()) {
            if (isGetter(method, type)
                    && !Objects.deepEquals(method.invoke(thrown), method.invoke(made))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isKept(Field field) {
        return !Modifier.isStatic(field.getModifiers())
                && !Modifier.isTransient(field.getModifiers());
    }

    private static boolean isGetter(Method method, Class<?> type) {
        return method.getDeclaringClass() == type
                && method.getName().startsWith("get")
                && method.getParameterCount() == 0
                && !Modifier.isStatic(method.getModifiers());
    }
}
