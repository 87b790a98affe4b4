package io.muninn.launch.option;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.process.StartException;
import java.io.File;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for programs of the user, common to all commands that run a program. */
public final class ProgramOptions {
    private static final String CLASS_PATH = "--class-path";

    @Option(
            names = CLASS_PATH,
            paramLabel = "JAR",
            split = ":",
            description =
                    "jars and folders with classes, or FOLDER/* for its jars; PROGRAM is then the"
                            + " name of a class")
    private List<Path> classPath = new ArrayList<>();

    @Option(
            names = "-D",
            paramLabel = "NAME=VALUE",
            mapFallbackValue = "",
            description =
                    "sets a system property that the program sees. Of live runs, these disable an"
                            + " optimization, to measure it, if they are off: muninn.mailboxes,"
                            + " muninn.start-caches, muninn.agent-tuning, muninn.handover,"
                            + " muninn.agent-c2 (off is faster for runs of some seconds)")
    private Map<String, String> properties = new TreeMap<>();

    private @Nullable Boolean isMain; // null until it has been looked up

    /**
     * The program of this name: a class of the user if there is a class path, else a built-in one.
     *
     * @throws IllegalArgumentException if there is none, or if a class is no program; the text is
     *     for the user
     */
    public BuiltInProgram named(Programs programs, String name) {
        return isOfBuiltIn() ? programs.named(name) : own(name);
    }

    /** The class of the user of this name, see {@link #named}. */
    OwnProgram own(String name) {
        return Programs.own(name, classPath);
    }

    /**
     * Checks a program with these options before it runs, and what a class of the user declares.
     *
     * @param threads per node
     * @throws IllegalArgumentException if it refuses its options or a cluster of this size, or if a
     *     declaration is wrong; the text is for the user
     * @throws StartException if it cannot be constructed; the text is for the user
     */
    public void check(BuiltInProgram program, List<String> options, int nodes, int threads)
            throws InterruptedException {
        if (program instanceof OwnProgram own) {
            Declarations.check(own, options, forProgram(), true);
        } else {
            Programs.check(program, options, nodes, threads);
        }
    }

    /**
     * Prints the options of a class of the user.
     *
     * @throws IllegalArgumentException if there is no such program; the text is for the user
     */
    public void printOwnHelp(String name, PrintWriter out) {
        OwnHelp.print(own(name), out);
    }

    /** Checks that the class path means the same wherever it is used. */
    void requireAbsoluteClassPath() {
        for (Path entry : classPath) {
            if (!entry.isAbsolute()) {
                throw new IllegalArgumentException(
                        "--class-path " + entry + " is no absolute path in the image");
            }
        }
    }

    /** True if the program is a built-in one, and no class of the user. */
    public boolean isOfBuiltIn() {
        return classPath.isEmpty();
    }

    /**
     * True for a class of the user that is no program but has a {@code main}.
     *
     * @throws IllegalArgumentException if the class path cannot be read; the text is for the user
     */
    boolean isMain(String name) {
        if (isMain == null) {
            isMain = new OwnProgram(name, entries()).isMain();
        }
        return isMain;
    }

    /** The user's class path. */
    List<Path> entries() {
        return ClassPath.expanded(classPath);
    }

    boolean isOn(Optimization optimization) {
        return optimization.isOn(properties);
    }

    /** Checks the properties for a live run, see {@link Optimization#check}. */
    void checkProperties() {
        Optimization.check(properties);
    }

    /** The flags that set the system properties in a JVM of a node. */
    List<String> flags(int node) {
        List<String> flags = new ArrayList<>();
        forProgram()
                .forEach((property, value) ->
                        flags.add("-D" + property + "=" + ApplicationOptions.ofNode(value, node)));
        return flags;
    }

    /** The system properties for the program. */
    Map<String, String> forProgram() {
        return Optimization.others(properties);
    }

    /**
     * Sets the system properties in this process, for a program that runs in it.
     *
     * @throws IllegalArgumentException if there are some that are for live runs only
     */
    public void setProperties() {
        Map<String, String> ofProgram = forProgram();
        properties.forEach((property, _) -> {
            if (!ofProgram.containsKey(property)) {
                throw new IllegalArgumentException(
                        "-D" + property + " means nothing for a simulated run");
            }
        });
        ofProgram.forEach(System::setProperty);
    }

    /** Returns the options as arguments. */
    public List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        if (!classPath.isEmpty()) {
            arguments.add(CLASS_PATH);
            arguments.add(
                    classPath.stream()
                            .map(Path::toString)
                            .collect(Collectors.joining(File.pathSeparator)));
        }
        properties.forEach((property, value) -> arguments.add("-D" + property + "=" + value));
        return arguments;
    }
}
