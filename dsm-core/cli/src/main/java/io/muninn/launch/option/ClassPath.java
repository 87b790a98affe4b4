package io.muninn.launch.option;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The class path of a user: as for {@code java}, {@code FOLDER/*} stands for the jars in it. */
final class ClassPath {
    private static final Path ALL_JARS = Path.of("*");

    private ClassPath() {}

    /**
     * Returns the entries with the jars that they stand for, sorted within each folder.
     *
     * @throws IllegalArgumentException if such a folder has no jar; the text is for the user
     */
    static List<Path> expanded(List<Path> entries) {
        List<Path> expanded = new ArrayList<>();
        for (Path entry : entries) {
            if (ALL_JARS.equals(entry.getFileName()) && !Files.exists(entry)) {
                expanded.addAll(jars(entry));
            } else {
                expanded.add(entry);
            }
        }
        return expanded;
    }

    private static List<Path> jars(Path entry) {
        Path folder = Optional.ofNullable(entry.getParent()).orElse(Path.of(""));
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
            found.forEach(jars::add);
        } catch (IOException cause) {
            throw new IllegalArgumentException("cannot read class path entry " + entry, cause);
        }
        if (jars.isEmpty()) {
            throw new IllegalArgumentException("class path entry " + entry + ": there is no jar");
        }
        jars.sort(null);
        return jars;
    }
}
