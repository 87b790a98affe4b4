package io.muninn.agent.memory;

import io.muninn.ipc.ControlMemory;
import io.muninn.nativefault.EngineKind;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;

/**
 * An application in a separate process, for a test that is its agent. It is {@code page_threads},
 * which {@code dsm-native} builds for its tests: each line read is one access by a new thread, and
 * each line printed is the result of one.
 */
final class PageThreads {
    private static final Path PROGRAM =
            Path.of(System.getProperty("basedir", ""))
                    .toAbsolutePath()
                    .resolve("../../dsm-native/target/native-test/page_threads")
                    .normalize();
    private static final long LOSS_MILLIS = 60_000;
    private static final long PAUSE_NANOS = 50_000;

    private PageThreads() {}

    /** Called between two polls of such an application, to leave it the processor. */
    static void pause() {
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    /**
     * Such an application, not started yet. The caller reads its output; its errors are those of
     * the test.
     *
     * @param socket where its agent listens
     */
    static ProcessBuilder process(EngineKind kind, String socket, byte[] token, long regionBytes) {
        return new ProcessBuilder(
                        PROGRAM.toString(),
                        socket,
                        HexFormat.of().formatHex(token),
                        "0", // its node
                        Long.toString(LOSS_MILLIS),
                        Long.toString(regionBytes),
                        Long.toString(ControlMemory.BYTES),
                        Long.toString(ControlMemory.WATCH_OFFSET),
                        kind.word())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    /** The command of a thread that loads; its result begins with the offset. */
    static String load(long offset) {
        return offset + " get " + offset;
    }

    /** The command of a thread that stores; its result begins with the offset. */
    static String store(long offset, long value) {
        return offset + " put " + offset + " " + value;
    }

    /**
     * The command of a thread that adds 1, so often, to a word of each page in turn; its result
     * begins with the offset.
     */
    static String add(long offset, long count) {
        return offset + " add " + offset + " " + count;
    }
}
