package io.muninn.transport.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Processes of this host, by their ids. */
public final class HostProcess {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");
    private static final String NAME = namespaceName();

    private HostProcess() {}

    /**
     * Where ids mean the same processes as here: the same until the host is started again, and
     * different in each container. Empty if that is unknown.
     */
    public static String namespace() {
        return NAME;
    }

    private static String namespaceName() {
        try {
            return Files.readString(BOOT).strip() + " " + Files.readSymbolicLink(NAMESPACE);
        } catch (IOException hidden) {
            return "";
        }
    }

    /** The id of this process. */
    public static long own() {
        return ProcessHandle.current().pid();
    }

    /** True if a process has ended, whether or not its parent has noticed. */
    public static boolean hasEnded(long id) {
        try {
            String stat =
                    Files.readString(
                            Path.of("/proc", Long.toString(id), "stat"),
                            StandardCharsets.ISO_8859_1);
            char state = stat.charAt(stat.lastIndexOf(')') + 2); // the name may contain anything
            return state == 'Z' || state == 'X';
        } catch (NoSuchFileException gone) {
            return true;
        } catch (IOException goneMeanwhile) {
            return false; // the next look finds out
        }
    }
}
