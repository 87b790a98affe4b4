package io.muninn.launch.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The fields of {@code /proc/PID/stat} (proc_pid_stat(5)) that a launcher needs.
 *
 * @param state the letter of its state: {@code Z} and {@code X} mean ended
 * @param flags the kernel's {@code PF_} flags
 * @param startTicks its start time, in clock ticks since the machine was started
 */
record ProcessStat(char state, long flags, long startTicks) {
    /** The state of a process that a signal has stopped. */
    static final char STOPPED = 'T';

    private static final long KERNEL_THREAD = 0x0020_0000;
    private static final ProcessStat ENDED = new ProcessStat('X', 0, 0);

    private static final int FLAGS = 6;
    private static final int START_TICKS = 19;

    /**
     * Reads the current line of a process; for a process that no longer exists, returns an ended
     * state.
     */
    static ProcessStat of(long pid) {
        try {
            Path file = Path.of("/proc", Long.toString(pid), "stat");
            return parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return ENDED;
        }
    }

    /**
     * Parses one line. Its second field is a name in parentheses that may contain any character.
     */
    static ProcessStat parse(String line) {
        String[] fields = line.substring(line.lastIndexOf(')') + 2).strip().split(" ");
        return new ProcessStat(
                fields[0].charAt(0),
                Long.parseUnsignedLong(fields[FLAGS]),
                Long.parseUnsignedLong(fields[START_TICKS]));
    }

    boolean hasEnded() {
        return state == 'Z' || state == 'X';
    }

    boolean isKernelThread() {
        return (flags & KERNEL_THREAD) != 0;
    }
}
