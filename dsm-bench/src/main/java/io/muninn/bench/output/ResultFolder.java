package io.muninn.bench.output;

import io.muninn.report.FileErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options for the folder to which {@code dsm bench} and {@code dsm paper} write, and for the folder
 * of the documents.
 */
public final class ResultFolder {
    /** System property with the folder of the checkout; {@code ./dsm} sets it. */
    private static final String HOME = "muninn.home";

    private static final Path USUAL = Path.of("results");
    private static final Path DOCUMENTS = Path.of("docs", "results");

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description =
                    "where pages and plots go (default: a folder of the command's name in results,"
                            + " in the current folder)")
    private @Nullable Path out; // null for the default

    @Option(
            names = "--update-docs",
            description = "replaces the pages and plots in docs/results of the checkout")
    private boolean updatesDocuments;

    /**
     * Checks that documents are replaced only by complete results.
     *
     * @param isPart true if only a part is requested
     * @param by the options that request it
     * @throws IllegalArgumentException if documents would be replaced by a part; the text is for
     *     the user
     */
    public void requireAll(boolean isPart, String by) {
        if (updatesDocuments && isPart) {
            throw new IllegalArgumentException(
                    "--update-docs replaces all that the documents show: not with " + by);
        }
    }

    /**
     * Returns the folder, creating it if necessary.
     *
     * @param name name of the command
     * @throws IllegalArgumentException if it cannot be written to; the text is for the user
     */
    public Path made(String name) {
        Path folder = out == null ? USUAL.resolve(name) : out;
        return requireWritable("--out", folder);
    }

    /**
     * Returns the folder of the documents, if they are to be replaced.
     *
     * @param name name of the command
     * @throws IllegalArgumentException if it cannot be written to; the text is for the user
     */
    public Optional<Path> documents(String name) {
        if (!updatesDocuments) {
            return Optional.empty();
        }
        String home = System.getProperty(HOME);
        if (home == null) {
            throw new IllegalArgumentException("--update-docs needs ./dsm of a checkout");
        }
        Path folder = Path.of(home).resolve(DOCUMENTS).resolve(name);
        return Optional.of(requireWritable("--update-docs", folder));
    }

    private static Path requireWritable(String option, Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException cannot) {
            throw new IllegalArgumentException(
                    option
                            + ": cannot make the folder "
                            + folder
                            + ": "
                            + FileErrors.reason(cannot),
                    cannot);
        }
        if (!Files.isWritable(folder)) {
            throw new IllegalArgumentException(
                    option + ": the folder " + folder + " cannot be written to");
        }
        return folder;
    }
}
