package io.muninn.launch.option;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.application.ProgramClass;
import java.io.Closeable;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of the user: a class on the user's class path. Each program that it creates has classes
 * of its own, as each node has, so that static fields are not shared between simulated nodes. The
 * classes see the classes that applications have, and no library of the command line.
 */
public final class OwnProgram implements BuiltInProgram {
    /** The only version. */
    public static final String VERSION = "";

    /** Prefixes of the classes that every application has, besides those of its program. */
    private static final List<String> OF_APPLICATIONS = List.of("io.muninn.", "com.sun.jna.");

    private final String name;
    private final List<Path> classPath;
    private final List<URL> urls;

    /**
     * @param name of the class, see {@link ProgramClass#find}
     * @param entries jars and folders
     * @throws IllegalArgumentException if an entry cannot be read; the text is for the user
     */
    OwnProgram(String name, List<Path> entries) {
        this.name = name;
        this.classPath = List.copyOf(entries);
        this.urls = urls(entries);
    }

    private static List<URL> urls(List<Path> entries) {
        List<URL> urls = new ArrayList<>();
        for (Path entry : entries) {
            if (!canBeRead(entry)) {
                throw new IllegalArgumentException("cannot read class path entry " + entry);
            }
            try {
                urls.add(entry.toUri().toURL());
            } catch (MalformedURLException cause) {
                throw new IllegalArgumentException("no class path entry: " + entry, cause);
            }
        }
        return urls;
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

    /**
     * Finds the class.
     *
     * @throws IllegalArgumentException if there is none of that name, or as {@link
     *     ProgramClass#find}
     * @throws LinkageError if this JVM cannot load it
     */
    ProgramClass find() {
        return findWith();
    }

    /**
     * As {@link #find}, with the classes of more libraries of the command line.
     *
     * @param prefixes of their names
     */
    ProgramClass findWith(String... prefixes) {
        return ProgramClass.find(name, loader(prefixes))
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "there is no class " + name + " on the class path " + classPath));
    }

    /** True if the class is no program but has a {@code main}. */
    boolean isMain() {
        try {
            return ProgramClass.findMain(name, loader()).isPresent();
        } catch (LinkageError ofThisJvm) {
            return false;
        }
    }

    /** A loader with new classes. It stays open as long as they are used. */
    private ClassLoader loader(String... more) {
        List<String> prefixes = new ArrayList<>(OF_APPLICATIONS);
        prefixes.addAll(List.of(more));
        ClassLoader ours = OwnProgram.class.getClassLoader();
        ClassLoader parent =
                new ClassLoader(ClassLoader.getPlatformClassLoader()) {
                    @Override
                    protected Class<?> findClass(String wanted) throws ClassNotFoundException {
                        if (prefixes.stream().anyMatch(wanted::startsWith)) {
                            return ours.loadClass(wanted);
                        }
                        throw new ClassNotFoundException(wanted);
                    }
                };
        return new URLClassLoader(urls.toArray(URL[]::new), parent);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String summary() {
        return "";
    }

    @Override
    public String usage() {
        return "";
    }

    @Override
    public List<String> versions() {
        return List.of(VERSION);
    }

    /**
     * Creates a program, whose classes the calling thread finds from now on.
     *
     * @throws IllegalArgumentException if there is no such class, or if it refuses its options
     */
    @Override
    public DsmProgram create(List<String> options) {
        ProgramClass found = find();
        Thread.currentThread().setContextClassLoader(found.type().getClassLoader());
        return found.create(options);
    }
}
