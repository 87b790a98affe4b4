package io.muninn.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The line that Linux keeps of a process in {@code /proc/PID/stat} (proc_pid_stat(5)), as far as a
 * launcher needs it.
 *
 * @param state the letter of its state: {@code Z} and {@code X} have ended
 * @param flags the kernel's {@code PF_} flags
 * @param startTicks when it was started, in clock ticks since the machine was
 */
record ProcessStat(char state, long flags, long startTicks) {
    /** The state of a process that a signal has stopped. */
    static final char STOPPED = 'T';

    private static final long KERNEL_THREAD = 0x0020_0000;
    private static final ProcessStat ENDED = new ProcessStat('X', 0, 0);

    private static final int FLAGS = 6;
    private static final int START_TICKS = 19;

    /** The line of a process as it is now; of one that is gone, that it has ended. */
    static ProcessStat of(long pid) {
        try {
            Path file = Path.of("/proc", Long.toString(pid), "stat");
            return parse(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException gone) {
            return ENDED;
        }
    }

    /** Reads one line, whose second field is a name in parentheses that may hold anything. */
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
