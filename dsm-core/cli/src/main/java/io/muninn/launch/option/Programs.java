package io.muninn.launch.option;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.application.ProgramClass;
import java.io.Closeable;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
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
                            + (byName.isEmpty()
                                    ? "; there are none on the class path"
                                    : " (known: " + String.join(", ", byName.keySet()) + ")"));
        }
        return program;
    }

    /**
     * Checks a program of this name with these options, without running it.
     *
     * @param threads per node
     * @throws IllegalArgumentException if there is no such program, or if it refuses its options or
     *     a cluster of this size
     */
    public void check(String name, List<String> options, int nodes, int threads) {
        BuiltInProgram program = named(name);
        try {
            program.create(options);
            program.checkCluster(options, nodes, threads);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(name + ": " + refused.getMessage(), refused);
        }
    }

    /**
     * Checks that a class of the user exists and is a program.
     *
     * @param classPath jars and folders
     * @throws IllegalArgumentException if an entry or the class does not exist, or if the class is
     *     of a form that no program has
     */
    static void checkClass(String className, List<Path> classPath) {
        URL[] urls = new URL[classPath.size()];
        for (int i = 0; i < urls.length; i++) {
            Path entry = classPath.get(i);
            if (!canBeRead(entry)) {
                throw new IllegalArgumentException("cannot read class path entry " + entry);
            }
            try {
                urls[i] = entry.toUri().toURL();
            } catch (MalformedURLException cause) {
                throw new IllegalArgumentException("no class path entry: " + entry, cause);
            }
        }
        try (URLClassLoader loader = new URLClassLoader(urls, Programs.class.getClassLoader())) {
            if (ProgramClass.find(className, loader).isEmpty()) {
                throw new IllegalArgumentException(
                        "there is no class " + className + " on the class path " + classPath);
            }
        } catch (LinkageError ofThisJvm) {
            return; // an application, whose JVM has the user's options, may be able to load it
        } catch (IOException cause) {
            throw new IllegalArgumentException("cannot read class path " + classPath, cause);
        }
    }

    /** Tries to read: the check of {@link Files#isReadable} does not consider capabilities. */
    private static boolean canBeRead(Path entry) {
        try (Closeable _ =
                Files.isDirectory(entry)
                        ? Files.newDirectoryStream(entry)
                        : Files.newInputStream(entry)) {
            return true;
        } catch (IOException unreadable) {
            return false;
        }
    }
}
