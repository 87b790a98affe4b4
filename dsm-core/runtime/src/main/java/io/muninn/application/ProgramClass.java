package io.muninn.application;

import io.muninn.api.DsmException;
import io.muninn.api.DsmProgram;
import io.muninn.api.spi.Options;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The class of a user's program, and the construction of its object. The class and its constructor
 * need not be public, but a private constructor is not used. Its parameter is a {@code String[]}, a
 * {@code List}, or none: then the program takes no options. Every {@link IllegalArgumentException}
 * has a text for the user.
 */
public final class ProgramClass {
    /** Parameters of a constructor, in order of preference. */
    private static final List<List<Class<?>>> PARAMETERS =
            List.of(List.of(String[].class), List.of(List.class), List.of());

    private final String name;
    private final Constructor<?> constructor;

    private ProgramClass(String name, Constructor<?> constructor) {
        this.name = name;
        this.constructor = constructor;
    }

    /**
     * Finds the class.
     *
     * @param name with dots or slashes between packages, as for {@code java}; between a class and
     *     its nested class a {@code $} or, as in source, a dot
     * @return nothing if there is no class of that name
     * @throws IllegalArgumentException if it is no program, or of a form that has no objects
     * @throws LinkageError if this JVM cannot load it
     */
    public static Optional<ProgramClass> find(String name, ClassLoader loader) {
        String binary = name.replace('/', '.');
        while (true) {
            try {
                Class<?> type = Class.forName(binary, false, loader);
                return Optional.of(new ProgramClass(name, constructor(name, type)));
            } catch (ClassNotFoundException unknown) {
                int dot = binary.lastIndexOf('.');
                if (dot < 0) {
                    return Optional.empty();
                }
                binary = binary.substring(0, dot) + '$' + binary.substring(dot + 1);
            }
        }
    }

    private static Constructor<?> constructor(String name, Class<?> type) {
        if (!DsmProgram.class.isAssignableFrom(type)) {
            throw wrong(name, "does not implement DsmProgram");
        }
        if (type.isInterface()) {
            throw wrong(name, "is an interface; name a class that implements it");
        }
        if (type.isEnum()) {
            throw wrong(name, "is an enum, whose objects cannot be made; declare a class");
        }
        if (Modifier.isAbstract(type.getModifiers())) {
            throw wrong(name, "is abstract; name a class that extends it");
        }
        if (type.isMemberClass() && !Modifier.isStatic(type.getModifiers())) {
            throw wrong(name, "is an inner class, which needs an outer object; declare it static");
        }
        List<Constructor<?>> suitable = new ArrayList<>();
        for (List<Class<?>> parameters : PARAMETERS) {
            Arrays.stream(type.getDeclaredConstructors())
                    .filter(each -> parameters.equals(List.of(each.getParameterTypes())))
                    .forEach(suitable::add);
        }
        if (suitable.isEmpty()) {
            throw wrong(
                    name, "has no constructor that takes a String[], a List<String> or nothing");
        }
        suitable.removeIf(each -> Modifier.isPrivate(each.getModifiers()));
        suitable.sort(Comparator.comparing(each -> !Modifier.isPublic(each.getModifiers())));
        if (suitable.isEmpty()) {
            throw wrong(name, "has a private constructor; remove 'private' from it");
        }
        return suitable.getFirst();
    }

    private static IllegalArgumentException wrong(String name, String what) {
        return new IllegalArgumentException("class " + name + " " + what);
    }

    /**
     * Makes the program.
     *
     * @throws IllegalArgumentException if it refuses its options
     * @throws DsmException if its constructor or its static initializer throws anything else
     */
    public DsmProgram create(List<String> options) {
        try {
            constructor.setAccessible(true);
            if (constructor.getParameterCount() == 0) {
                Options.parse(options); // it takes none
                return (DsmProgram) constructor.newInstance();
            }
            boolean takesArray = constructor.getParameterTypes()[0] == String[].class;
            Object all = takesArray ? options.toArray(String[]::new) : options;
            return (DsmProgram) constructor.newInstance(all);
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof IllegalArgumentException refused) {
                throw refused.getMessage() == null
                        ? wrong(name, "refuses its options: " + refused)
                        : refused;
            }
            throw failed("constructed", thrown.getCause());
        } catch (ExceptionInInitializerError thrown) {
            throw failed("initialized", thrown.getCause());
        } catch (InstantiationException | IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private DsmException failed(String what, @Nullable Throwable cause) {
        return new DsmException("class " + name + " cannot be " + what + ": " + cause, cause);
    }
}
