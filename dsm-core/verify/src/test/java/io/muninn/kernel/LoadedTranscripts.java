package io.muninn.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Transcripts as programs: checks the values that threads load, not the messages of kernels. */
public final class LoadedTranscripts {
    private static final Path FOLDER = Path.of("src", "test", "resources", "transcripts");

    private LoadedTranscripts() {}

    /**
     * Performs the transcripts of a protocol.
     *
     * @return the name of the first that cannot be performed; empty if all can
     */
    public static String failing(String protocol) {
        try (Stream<Path> files = Files.list(FOLDER)) {
            List<Path> own =
                    files.filter(each -> each.getFileName().toString().startsWith(protocol + "-"))
                            .sorted()
                            .toList();
            for (Path each : own) {
                if (!isPerformed(Files.readString(each))) {
                    return each.getFileName().toString();
                }
            }
            return "";
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private static boolean isPerformed(String transcript) {
        try {
            TranscriptScript.rewrite(transcript);
            return true;
        } catch (AssertionError fails) {
            return false;
        }
    }
}
