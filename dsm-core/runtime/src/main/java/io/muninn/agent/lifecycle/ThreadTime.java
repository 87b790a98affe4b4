package io.muninn.agent.lifecycle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processor time of the calling thread, read without the JVM's management classes. */
final class ThreadTime {
    /** Nanoseconds on a processor, nanoseconds runnable, slices. */
    private static final Path FILE = Path.of("/proc/thread-self/schedstat");

    private ThreadTime() {}

    /** Returns nanoseconds since the thread's start; 0 where the system does not count them. */
    static long nanos() {
        try {
            String line = Files.readString(FILE, StandardCharsets.US_ASCII);
            return Long.parseLong(line.substring(0, line.indexOf(' ')));
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException notCounted) {
            return 0;
        }
    }
}
