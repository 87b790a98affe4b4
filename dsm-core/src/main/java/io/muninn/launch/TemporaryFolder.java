package io.muninn.launch;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where files lie that a command needs while it runs. {@code ./dsm} takes it from TMPDIR. */
final class TemporaryFolder {
    private TemporaryFolder() {}

    static Path path() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Checks before anything is started.
     *
     * @param what it is needed for
     * @throws IllegalArgumentException if nothing can be written there; the text is for the user
     */
    static void requireWritable(String what) {
        Path folder = path();
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new IllegalArgumentException(
                    what
                            + " needs a temporary folder, and "
                            + folder
                            + " cannot be written to; set TMPDIR to another");
        }
    }
}
