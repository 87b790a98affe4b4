package io.muninn.report;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The reports of a launched run's nodes, a file for each, until its launcher writes the one that
 * counts where the user wants it: the root's, or, if the root was lost, that of another node, which
 * writes one only if the run fails. The folder is private, and gone when the run is.
 */
public final class ReportDrafts {
    private final Path folder;

    /**
     * Names the folder, and makes nothing yet.
     *
     * @param folder of this run alone
     */
    public ReportDrafts(Path folder) {
        this.folder = folder;
    }

    /** Where a node writes. */
    public Path of(int node) {
        return folder.resolve("node-" + node);
    }

    /**
     * Writes a node's draft, and makes the folder if no other node has.
     *
     * @throws IOException if that is not possible
     */
    public static void write(String text, Path draft) throws IOException {
        try {
            Files.createDirectory(
                    draft.resolveSibling(""),
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException byAnother) {
            // all write into the same
        }
        ReportFile.write(text, draft);
    }

    /** What a node has written; empty if it has not. */
    public Optional<String> text(int node) throws IOException {
        try {
            return Optional.of(Files.readString(of(node)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /** Deletes the folder and what is in it. */
    public void delete() throws IOException {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder);
        }
    }

    /**
     * For a node whose launcher is gone: deletes what the node has written; the last, the folder.
     */
    public static void discard(Path draft) {
        try {
            Files.deleteIfExists(draft);
            Files.deleteIfExists(draft.resolveSibling(""));
        } catch (DirectoryNotEmptyException others) {
            return; // they delete theirs, and the last of them the folder
        } catch (IOException cannot) {
            System.err.println("dsm: cannot delete " + draft + ": " + cannot.getMessage());
        }
    }
}
