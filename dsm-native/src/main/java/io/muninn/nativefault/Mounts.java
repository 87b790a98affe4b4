package io.muninn.nativefault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The mounted file systems of this process, as {@code /proc/self/mounts} lists them. */
final class Mounts {
    private static final Path MOUNTS = Path.of("/proc/self/mounts");
    private static final int FIELDS = 4;
    private static final int FOLDER = 1;
    private static final int OPTIONS = 3;

    private Mounts() {}

    /**
     * Checks that libraries can be loaded from a folder.
     *
     * @param property that names another folder
     * @throws IllegalStateException if the folder is on a file system that is mounted noexec
     * @throws IOException if the folder does not exist
     */
    static void requireExecutable(Path folder, String property) throws IOException {
        if (isNoexec(folder.toRealPath(), Files.readAllLines(MOUNTS))) {
            throw new IllegalStateException(
                    "native libraries cannot be loaded from "
                            + folder
                            + ", because it is on a file system that is mounted noexec; name a"
                            + " folder on another one with -D"
                            + property
                            + "=FOLDER");
        }
    }

    /**
     * Whether a folder is on a file system that is mounted noexec.
     *
     * @param folder absolute, without links
     * @param mounts device, folder, type and options of each mount, the later above the earlier
     */
    static boolean isNoexec(Path folder, List<String> mounts) {
        boolean noexec = false;
        int longest = -1;
        for (String mount : mounts) {
            String[] fields = mount.split(" ");
            if (fields.length < FIELDS) {
                continue;
            }
            Path mounted = Path.of(unescaped(fields[FOLDER]));
            if (folder.startsWith(mounted) && mounted.getNameCount() >= longest) {
                longest = mounted.getNameCount();
                noexec = List.of(fields[OPTIONS].split(",")).contains("noexec");
            }
        }
        return noexec;
    }

    /** Blanks and backslashes in a path are written as octal numbers. */
    private static String unescaped(String path) {
        return path.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}
