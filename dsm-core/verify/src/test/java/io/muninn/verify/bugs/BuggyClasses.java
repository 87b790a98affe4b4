package io.muninn.verify.bugs;

import io.muninn.verify.mutate.MutantClasses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A copy of the project's classes, one of them compiled anew with a {@link SeededBug}. */
final class BuggyClasses {
    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** Each thread keeps its own, so that the class path is read once for all its bugs. */
    private static final ThreadLocal<StandardJavaFileManager> FILES =
            ThreadLocal.withInitial(() -> COMPILER.getStandardFileManager(null, null, null));

    private static final Path KERNEL = Path.of("../kernel/src/main/java/io/muninn");
    private static final Path SIMULATOR = Path.of("../sim/src/main/java/io/muninn");
    private static final Path CHECKS = Path.of("src/main/java/io/muninn");

    private BuggyClasses() {}

    /**
     * @throws IllegalStateException if the bug does not fit the source, or does not compile
     */
    static ClassLoader with(SeededBug bug) {
        return new MutantClasses(BuggyClasses.class.getClassLoader(), compile(bug, mutated(bug)));
    }

    /**
     * Returns the source with the bug.
     *
     * @throws IllegalStateException if the bug does not fit the source
     */
    static String mutated(SeededBug bug) {
        String source;
        try {
            source = Files.readString(file(bug));
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
        int at = source.indexOf(bug.right());
        if (at < 0 || source.indexOf(bug.right(), at + 1) >= 0) {
            throw new IllegalStateException(
                    "bug " + bug.name() + " fits " + bug.file() + (at < 0 ? " nowhere" : " twice"));
        }
        return source.replace(bug.right(), bug.wrong());
    }

    private static Path file(SeededBug bug) {
        return Stream.of(KERNEL, SIMULATOR, CHECKS)
                .map(folder -> folder.resolve(bug.file()))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no file " + bug.file()));
    }

    private static Map<String, byte[]> compile(SeededBug bug, String source) {
        Map<String, ByteArrayOutputStream> written = new TreeMap<>();
        StringWriter messages = new StringWriter();
        boolean compiled =
                COMPILER.getTask(
                                messages,
                                new Written(FILES.get(), written),
                                null,
                                List.of("-proc:none", "-nowarn"),
                                null,
                                List.of(new Source(bug.file(), source)))
                        .call();
        if (!compiled) {
            throw new IllegalStateException("bug " + bug.name() + ": " + messages);
        }
        Map<String, byte[]> classes = new TreeMap<>();
        written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
        return classes;
    }

    /** A source that is not in a file. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("string:///io/muninn/" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) {
            return text;
        }
    }

    /** Keeps the output of the compiler. */
    private static final class Written extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes;

        Written(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject near) {
            return new SimpleJavaFileObject(
                    URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return classes.computeIfAbsent(name, _ -> new ByteArrayOutputStream());
                }
            };
        }
    }
}
