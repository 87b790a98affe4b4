package io.muninn.e2e;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/** Copies of the sources, in which a test can build. */
final class SourceCopy {
    static final Path CHECKOUT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private SourceCopy() {}

    /** Copies a folder without what a build has made in it. */
    static Path of(Path from, Path to) throws IOException {
        Set<String> made = Set.of("target", ".git", "results", "build", ".gradle");
        Files.walkFileTree(
                from,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes of)
                            throws IOException {
                        if (made.contains(each.getFileName().toString()) && !each.equals(from)) {
                            return FileVisitResult.SKIP_SUBTREE;
                        }
                        Files.createDirectories(to.resolve(from.relativize(each)));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes of)
                            throws IOException {
                        Files.copy(file, to.resolve(from.relativize(file)));
                        return FileVisitResult.CONTINUE;
                    }
                });
        return to;
    }
}
