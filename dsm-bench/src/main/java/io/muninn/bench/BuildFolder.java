package io.muninn.bench;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** The build folder of these classes, which also contains the C program that measures floors. */
final class BuildFolder {
    private BuildFolder() {}

    static Path path() {
        try {
            URI classes =
                    BuildFolder.class.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(classes).toAbsolutePath().resolveSibling("");
        } catch (URISyntaxException cause) {
            throw new IllegalStateException("the classes are nowhere", cause);
        }
    }
}
