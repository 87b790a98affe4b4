package io.muninn.verify.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The state × event table in the Javadoc of a class of the kernel: what stands in its first {@code
 * <pre>}.
 *
 * @param table from the beginning to the first footnote
 * @param notes the footnotes, and what follows them; empty if there are none
 */
record TableJavadoc(String table, String notes) {
    private static final Path SOURCES = Path.of("../kernel/src/main/java/io/muninn");
    private static final String FIRST_NOTE = "(1) ";

    static TableJavadoc of(String className) throws IOException {
        Path source;
        try (Stream<Path> files = Files.walk(SOURCES)) {
            source =
                    files.filter(file -> file.endsWith(className + ".java"))
                            .findFirst()
                            .orElseThrow();
        }
        List<String> lines =
                Files.readAllLines(source).stream()
                        .dropWhile(line -> !line.equals(" * <pre>"))
                        .skip(1)
                        .takeWhile(line -> !line.equals(" * </pre>"))
                        .map(line -> line.substring(Math.min(3, line.length())))
                        .toList();
        return new TableJavadoc(
                joined(lines.stream().takeWhile(line -> !line.startsWith(FIRST_NOTE))),
                joined(lines.stream().dropWhile(line -> !line.startsWith(FIRST_NOTE))));
    }

    private static String joined(Stream<String> lines) {
        return String.join("\n", lines.toList()).stripTrailing() + "\n";
    }
}
