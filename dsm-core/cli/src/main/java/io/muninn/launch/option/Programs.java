package io.muninn.launch.option;

import io.muninn.api.spi.BuiltInProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;

/**
 * The programs that can be run by name, and the checks made before any node is started. Every error
 * is an {@link IllegalArgumentException} whose text is for the user.
 */
public final class Programs {
    private final Map<String, BuiltInProgram> byName = new TreeMap<>();

    private Programs(Iterable<BuiltInProgram> programs) {
        programs.forEach(program -> byName.put(program.name(), program));
    }

    /** The programs on this process's class path. */
    public static Programs installed() {
        return of(ServiceLoader.load(BuiltInProgram.class));
    }

    public static Programs of(Iterable<BuiltInProgram> programs) {
        return new Programs(programs);
    }

    /** All programs, in order of name. */
    public List<BuiltInProgram> all() {
        return List.copyOf(byName.values());
    }

    /**
     * @throws IllegalArgumentException if there is no program of that name; the text lists the
     *     existing ones
     */
    public BuiltInProgram named(String name) {
        BuiltInProgram program = byName.get(name);
        if (program == null) {
            throw new IllegalArgumentException(
                    "unknown program '"
                            + name
                            + "'"
                            + DidYouMean.of(name, byName.keySet())
                                    .map(near -> "; did you mean " + near + "?")
                                    .orElse("")
                            + (isLikeClass(name)
                                    ? "; a class of your own needs --class-path, as in"
                                            + " --class-path classes "
                                            + name
                                    : known()));
        }
        return program;
    }

    private String known() {
        return byName.isEmpty()
                ? "; there are none on the class path"
                : " (known: " + String.join(", ", byName.keySet()) + ")";
    }

    /** True for the name of a class; those of programs are in lower case. */
    private static boolean isLikeClass(String name) {
        return name.indexOf('.') >= 0 || name.chars().anyMatch(Character::isUpperCase);
    }

    /**
     * Checks a program of this name with these options, without running it.
     *
     * @param threads per node
     * @throws IllegalArgumentException if there is no such program, or if it refuses its options or
     *     a cluster of this size
     */
    public void check(String name, List<String> options, int nodes, int threads) {
        check(named(name), options, nodes, threads);
    }

    /**
     * Checks a program with these options, without running it.
     *
     * @param threads per node
     * @throws IllegalArgumentException if it refuses its options or a cluster of this size
     */
    public static void check(BuiltInProgram program, List<String> options, int nodes, int threads) {
        try {
            program.create(options);
            program.checkCluster(options, nodes, threads);
        } catch (IllegalArgumentException refused) {
            String text = String.valueOf(refused.getMessage());
            String name = program.name();
            throw new IllegalArgumentException(
                    text.contains(name) ? text : name + ": " + text, refused);
        }
    }

    /**
     * A class of the user, which exists and has the form of a program.
     *
     * @param entries jars and folders, see {@link ClassPath#expanded}
     * @throws IllegalArgumentException if an entry or the class does not exist, or if the class is
     *     of a form that no program has
     */
    public static OwnProgram own(String className, List<Path> entries) {
        OwnProgram program = new OwnProgram(className, ClassPath.expanded(entries));
        try {
            program.find();
        } catch (LinkageError ofThisJvm) {
            return program; // an application, whose JVM has the user's options, may load it
        }
        return program;
    }
}
