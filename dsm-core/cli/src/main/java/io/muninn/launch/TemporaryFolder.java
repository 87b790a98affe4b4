package io.muninn.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where files lie that a command needs while it runs. {@code ./dsm} takes it from TMPDIR. */
final class TemporaryFolder {
    /** A report and some lines of output. */
    private static final long SPACE_MIN = 1 << 16;

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

    /** What was written there is whole only if that is so. */
    static void requireSpace() throws IOException {
        if (Files.getFileStore(path()).getUsableSpace() < SPACE_MIN) {
            throw new IOException("no space left on device");
        }
    }

    /** What a user is told when nothing can be written there after all. */
    static StartException unusable(IOException cannot) {
        return new StartException(
                "the temporary folder "
                        + path()
                        + " cannot be used: "
                        + cannot.getMessage()
                        + "; set TMPDIR to another",
                cannot);
    }
}
