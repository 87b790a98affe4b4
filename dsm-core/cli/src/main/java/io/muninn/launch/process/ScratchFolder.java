package io.muninn.launch.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/**
 * A folder for the files of live runs, removed with its files when it is closed, or when this
 * process ends. A run that outlives this process cannot leave a file behind: without the folder it
 * cannot create one.
 *
 * <p><b>Threads.</b> Used by one thread. The thread that ends the process waits until the folder
 * exists, so it leaves none behind.
 */
public final class ScratchFolder implements AutoCloseable {
    /** A file may be created between the removal of the others and that of the folder. */
    private static final int TRIES_MAX = 100;

    private final Path folder =
            Path.of(System.getProperty("java.io.tmpdir"), "muninn-run-" + UUID.randomUUID());
    private final Thread remover = Thread.ofPlatform().unstarted(this::remove);
    private int files;

    /**
     * Creates the folder.
     *
     * @throws StartException if this process ends
     */
    public ScratchFolder() throws IOException {
        synchronized (remover) {
            LiveRun.addHook(remover);
            Files.createDirectory(folder);
        }
    }

    /** The folder itself, for a program that chooses the names of its files. */
    public Path path() {
        return folder;
    }

    /** A file that does not exist yet. */
    public Path newFile(String suffix) {
        return folder.resolve(files++ + suffix);
    }

    @Override
    public void close() {
        Launcher.removeHook(remover);
        remove();
    }

    private void remove() {
        synchronized (remover) {
            removeAll();
        }
    }

    private void removeAll() {
        for (int i = 0; i < TRIES_MAX && Files.exists(folder); i++) {
            try {
                try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
                    for (Path file : all) {
                        Files.deleteIfExists(file);
                    }
                }
                Files.deleteIfExists(folder);
            } catch (DirectoryNotEmptyException created) {
                // once more
            } catch (IOException cause) {
                throw new UncheckedIOException(cause);
            }
        }
    }
}
