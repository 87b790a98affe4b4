package io.muninn.launch.process;

import io.muninn.report.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The folder for temporary files of a command. {@code ./dsm} takes it from TMPDIR. */
public final class TemporaryFolder {
    /** Enough bytes for a report and some lines of output. */
    private static final long SPACE_MIN = 1 << 16;

    private TemporaryFolder() {}

    public static Path path() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /**
     * Checks the folder before anything is started.
     *
     * @param what the purpose of the folder
     * @throws IllegalArgumentException if it is not writable; the text is for the user
     */
    public static void requireWritable(String what) {
        Path folder = path();
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new IllegalArgumentException(
                    what
                            + " needs a temporary folder, and "
                            + folder
                            + " cannot be written to; set TMPDIR to another");
        }
    }

    /** Checks that the folder has space; only then are files written there complete. */
    static void requireSpace() throws IOException {
        if (Files.getFileStore(path()).getUsableSpace() < SPACE_MIN) {
            throw new IOException("no space left on device");
        }
    }

    /** Creates the exception for a folder that turns out not to be writable. */
    public static StartException unusable(IOException cannot) {
        return new StartException(
                "the temporary folder "
                        + path()
                        + " cannot be used: "
                        + FileErrors.reason(cannot)
                        + "; set TMPDIR to another",
                cannot);
    }
}
