package io.muninn.report;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * The target of {@code --json}: a file, or standard output for {@value #STANDARD_OUTPUT}. An
 * existing file that is not a regular file, such as a pipe or a device, and every descriptor of
 * this process in {@code /dev/fd}, is appended to. A regular file is replaced atomically: readers
 * see either the old content or all of the new text.
 */
public final class ReportFile {
    /** The name of standard output. */
    public static final String STANDARD_OUTPUT = "-";

    private static final Path DASH = Path.of(STANDARD_OUTPUT);
    private static final List<Path> OUTPUTS =
            List.of(DASH, Path.of("/dev/stdout"), Path.of("/dev/fd/1"), Path.of("/proc/self/fd/1"));
    private static final List<Path> DESCRIPTORS =
            List.of(Path.of("/dev/fd"), Path.of("/proc/self/fd"), Path.of("/dev/stderr"));

    private ReportFile() {}

    /**
     * True if the report is written to standard output; other output must then be written
     * elsewhere.
     */
    public static boolean isStandardOutput(Path file) {
        return OUTPUTS.contains(file.normalize());
    }

    /** The file as an absolute path. */
    public static Path absolute(Path file) {
        return isStandardOutput(file) ? DASH : file.toAbsolutePath();
    }

    /**
     * Checks before a long run that the file of {@code --json} can be written, as far as possible.
     *
     * @throws IllegalArgumentException if it cannot; the text is for the user
     */
    public static void requireWritable(Path file) {
        requireWritable("--json", file);
    }

    /**
     * As {@link #requireWritable(Path)}, for the file of another option.
     *
     * @throws IllegalArgumentException if it cannot be written; the text is for the user
     */
    public static void requireWritable(String option, Path file) {
        if (isStandardOutput(file)) {
            return;
        }
        if (file.toString().isEmpty()) {
            throw new IllegalArgumentException("cannot write " + option + ": the name is empty");
        }
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(
                    "cannot write " + option + " " + file + ": a folder");
        }
        if (isStream(file)) {
            return;
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new IllegalArgumentException(
                    "cannot write " + option + " " + file + ": no writable folder " + folder);
        }
    }

    /**
     * Writes the report.
     *
     * @throws IOException if it cannot be written; a regular file keeps its old content
     */
    public static void write(String text, Path file) throws IOException {
        if (isStandardOutput(file)) {
            System.out.flush();
            new FileOutputStream(FileDescriptor.out).write(text.getBytes(StandardCharsets.UTF_8));
        } else if (isStream(file)) {
            Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        } else {
            replace(text, Files.exists(file) ? file.toRealPath() : file.toAbsolutePath());
        }
    }

    /** True if a second report replaces the first. */
    public static boolean isReplaced(Path file) {
        return !isStandardOutput(file) && !isStream(file);
    }

    private static boolean isStream(Path file) {
        Path named = file.normalize();
        return DESCRIPTORS.stream().anyMatch(named::startsWith)
                || Files.exists(file) && !Files.isRegularFile(file) && !Files.isDirectory(file);
    }

    private static void replace(String text, Path target) throws IOException {
        Path folder = Optional.ofNullable(target.getParent()).orElse(target);
        if (!Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        Path fresh = Files.createTempFile(folder, "." + target.getFileName(), ".new");
        try {
            Files.writeString(fresh, text);
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-r--r--"));
            Files.move(
                    fresh,
                    target,
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
