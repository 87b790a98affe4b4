package io.muninn.report;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A text without a name, which another process of the same user writes by the path of this
 * process's descriptor. Nothing is left of it when this process has ended, even if it was killed.
 */
public final class UnnamedFile implements AutoCloseable {
    private static final Path PROCESSES = Path.of("/proc");
    private static final Path DESCRIPTORS = PROCESSES.resolve("self/fd");

    /** Shows that a text is complete, which contains no such character. */
    private static final String END = "\0";

    private final Path path;
    private final FileChannel content;

    private UnnamedFile(Path path, FileChannel content) {
        this.path = path;
        this.content = content;
    }

    /**
     * Creates an empty file.
     *
     * @param folder on whose file system it lies
     * @param prefix of the name that it has for a moment
     */
    public static UnnamedFile create(Path folder, String prefix) throws IOException {
        Path named = Files.createTempFile(folder, prefix, "");
        try {
            FileChannel content =
                    FileChannel.open(named, StandardOpenOption.READ, StandardOpenOption.WRITE);
            return new UnnamedFile(pathOf(named.toRealPath()), content);
        } finally {
            Files.delete(named);
        }
    }

    /** The path by which other processes open the file that this process has open. */
    private static Path pathOf(Path named) throws IOException {
        List<Path> descriptors;
        try (Stream<Path> all = Files.list(DESCRIPTORS)) {
            descriptors = all.toList();
        }
        for (Path descriptor : descriptors) {
            if (isOf(descriptor, named)) {
                String self = Long.toString(ProcessHandle.current().pid());
                return PROCESSES.resolve(self).resolve("fd").resolve(descriptor.getFileName());
            }
        }
        throw new NoSuchFileException(named + " in " + DESCRIPTORS);
    }

    private static boolean isOf(Path descriptor, Path named) {
        try {
            return Files.readSymbolicLink(descriptor).equals(named);
        } catch (IOException closed) {
            return false; // such as the descriptor of the listing
        }
    }

    /** The path by which {@link #write} finds it. */
    public Path path() {
        return path;
    }

    /** True if this is the path of such a file. */
    static boolean isOne(Path path) {
        return path.startsWith(PROCESSES);
    }

    /** Writes a text in place of the one before. Any process of the user. */
    static void write(String text, Path path) throws IOException {
        Files.writeString(
                path, text + END, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** The text; empty if none was written to its end. */
    public Optional<String> text() throws IOException {
        content.position(0);
        byte[] bytes = Channels.newInputStream(content).readAllBytes();
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.endsWith(END)
                ? Optional.of(text.substring(0, text.length() - END.length()))
                : Optional.empty();
    }

    @Override
    public void close() throws IOException {
        content.close();
    }
}
