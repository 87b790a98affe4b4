package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmProgram;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** Java sources that stand in documents, compiled as a user compiles them. */
final class CompiledSources implements AutoCloseable {
    private static final Pattern SAMPLE = Pattern.compile("(?s)```java\\n(.*?)```");
    private static final Pattern NAME = Pattern.compile("public final class (\\w+)");

    private final URLClassLoader loader;

    /**
     * Compiles classes without a package, with every lint as an error.
     *
     * @param folder gets sources and classes
     */
    CompiledSources(Path folder, List<String> sources) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "-Xlint:all,-path",
                                "-Werror",
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                folder.toString()));
        for (String source : sources) {
            Path file = folder.resolve(name(source) + ".java");
            Files.writeString(file, source);
            arguments.add(file.toString());
        }
        int failed =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, arguments.toArray(String[]::new));
        assertEquals(0, failed, "a sample does not compile");
        loader = new URLClassLoader(new URL[] {folder.toUri().toURL()});
    }

    /** The Java blocks of a document, in order. */
    static List<String> samples(String document) {
        return SAMPLE.matcher(document).results().map(sample -> sample.group(1)).toList();
    }

    /** The name of a source's class. */
    static String name(String source) {
        Matcher name = NAME.matcher(source);
        assertTrue(name.find(), () -> "no class:\n" + source);
        return name.group(1);
    }

    Class<?> load(String name) throws ClassNotFoundException {
        return loader.loadClass(name);
    }

    DsmProgram newProgram(String name) {
        try {
            return load(name).asSubclass(DsmProgram.class).getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException cause) {
            throw new AssertionError("program " + name + " cannot be constructed", cause);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
