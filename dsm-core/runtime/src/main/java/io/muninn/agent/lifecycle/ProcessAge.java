package io.muninn.agent.lifecycle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Returns how long ago a process of this machine was started; an exec does not restart it. */
final class ProcessAge {
    /** The unit of {@code /proc/PID/stat}, the same on every machine. */
    private static final double TICKS_PER_SECOND = 100;

    private static final char COMMAND_END = ')';

    /** Index of the start time, counted from the state, the first field after the command. */
    private static final int START_AFTER_STATE = 19;

    private ProcessAge() {}

    /** Returns the age in seconds, to within 0.02; empty if there is no such process. */
    static OptionalDouble seconds(long pid) {
        try {
            String stat = read(Path.of("/proc", Long.toString(pid), "stat"));
            String[] fields = stat.substring(stat.lastIndexOf(COMMAND_END) + 1).strip().split(" ");
            long startTicks = Long.parseLong(fields[START_AFTER_STATE]);
            long nowTicks = Math.round(uptimeSeconds() * TICKS_PER_SECOND);
            return OptionalDouble.of(Math.max(0, nowTicks - startTicks) / TICKS_PER_SECOND);
        } catch (IOException gone) {
            return OptionalDouble.empty();
        }
    }

    /**
     * Returns the age, or the time since a given moment if that is shorter.
     *
     * @param sinceSeconds the moment, in the unit of {@code /proc/uptime}; null for none
     */
    static OptionalDouble seconds(long pid, @Nullable String sinceSeconds) {
        OptionalDouble age = seconds(pid);
        if (sinceSeconds == null || age.isEmpty()) {
            return age;
        }
        try {
            double passed = uptimeSeconds() - Double.parseDouble(sinceSeconds);
            return OptionalDouble.of(Math.clamp(passed, 0, age.getAsDouble()));
        } catch (IOException | NumberFormatException unknown) {
            return age;
        }
    }

    private static double uptimeSeconds() throws IOException {
        return Double.parseDouble(read(Path.of("/proc/uptime")).split(" ")[0]);
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }
}
