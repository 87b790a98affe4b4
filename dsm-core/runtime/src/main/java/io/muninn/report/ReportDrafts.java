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
 * The draft reports of a launched run, one file per node. At the end the launcher writes one of
 * them to the user's file: the root's, or, if the root was lost, another node's. Other nodes write
 * drafts only if the run fails. On another host than the launcher's, drafts are in a private
 * folder, which is deleted with the run; on its own host they are files without a name.
 */
public final class ReportDrafts {
    private final Path folder;

    /**
     * Names the folder without creating it.
     *
     * @param folder used by this run only
     */
    public ReportDrafts(Path folder) {
        this.folder = folder;
    }

    /** The folder, which may not exist. */
    public Path folder() {
        return folder;
    }

    /** The file of a node's draft. */
    public Path of(int node) {
        return folder.resolve("node-" + node);
    }

    /** The file of the root's draft of the page for a browser. */
    public Path page() {
        return folder.resolve("page");
    }

    /**
     * Writes a node's draft, creating the folder if necessary.
     *
     * @throws IOException if it cannot be written
     */
    public static void write(String text, Path draft) throws IOException {
        if (UnnamedFile.isOne(draft)) {
            UnnamedFile.write(text, draft);
            return;
        }
        try {
            Files.createDirectory(
                    draft.resolveSibling(""),
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException byAnother) {
            // all nodes write into the same folder
        }
        ReportFile.write(text, draft);
    }

    /** The draft of a node; empty if it has written none. */
    public Optional<String> text(int node) throws IOException {
        return text(of(node));
    }

    /** The draft in a file; empty if there is none. */
    public Optional<String> text(Path draft) throws IOException {
        try {
            return Optional.of(Files.readString(draft));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /** Deletes the folder and its content. */
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
     * For a node whose launcher is gone: deletes the node's draft; the last node also deletes the
     * folder.
     */
    public static void discard(Path draft) {
        if (UnnamedFile.isOne(draft)) {
            return; // it has ended with the launcher
        }
        try {
            Files.deleteIfExists(draft);
            Files.deleteIfExists(draft.resolveSibling(""));
        } catch (DirectoryNotEmptyException others) {
            return; // other nodes delete their drafts, and the last of them the folder
        } catch (IOException cannot) {
            System.err.println("dsm: cannot delete " + draft + ": " + FileErrors.reason(cannot));
        }
    }
}
