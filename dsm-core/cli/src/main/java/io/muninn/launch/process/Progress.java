package io.muninn.launch.process;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A line with the progress of a run, on a terminal only. */
public final class Progress {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final String ERASE_LINE = "\r\033[K";

    private final PrintStream terminal;
    private final boolean enabled;
    private boolean shown;

    public Progress(PrintStream terminal, boolean enabled) {
        this.terminal = terminal;
        this.enabled = enabled;
    }

    /** True if standard error is a terminal; the JVM's console checks input and output instead. */
    public static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return target.startsWith("/dev/pts/")
                    || target.startsWith("/dev/tty")
                    || target.equals("/dev/console");
        } catch (IOException unknown) {
            return false; // without such a file no progress is shown
        }
    }

    /**
     * Returns a writer of lines of progress.
     *
     * @param err to standard error
     * @return {@code err} on a terminal; otherwise a writer to nowhere
     */
    public static PrintWriter writer(PrintWriter err) {
        return isTerminal() ? err : new PrintWriter(Writer.nullWriter());
    }

    /**
     * Shows a text. The cursor stays at the start of the line, so that a program's output
     * overwrites it.
     */
    public void show(String text) {
        if (enabled) {
            terminal.print(ERASE_LINE + text + "\r");
            terminal.flush();
            shown = true;
        }
    }

    /**
     * Shows a text with the seconds so far, again and again, during work in this process that does
     * not report its progress. On other outputs than a terminal it starts no thread.
     *
     * @param what the work
     * @param period of the display
     * @return ends the display and erases it
     */
    public Shown during(String what, Duration period) {
        if (!enabled) {
            return () -> {};
        }
        CountDownLatch over = new CountDownLatch(1);
        long startNanos = System.nanoTime();
        Thread display =
                Thread.ofPlatform()
                        .daemon()
                        .name("muninn-progress")
                        .start(() -> {
                            while (!isOver(over, period)) {
                                long nanos = System.nanoTime() - startNanos;
                                show(what + ", " + TimeUnit.NANOSECONDS.toSeconds(nanos) + " s");
                            }
                        });
        return () -> {
            over.countDown();
            awaitEnd(display);
            erase();
        };
    }

    /** Ends a display. */
    @FunctionalInterface
    public interface Shown extends AutoCloseable {
        @Override
        void close();
    }

    private static boolean isOver(CountDownLatch over, Duration period) {
        try {
            return over.await(period.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException ended) {
            return true;
        }
    }

    private static void awaitEnd(Thread display) {
        try {
            display.join();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    public void erase() {
        if (shown) {
            terminal.print(ERASE_LINE);
            terminal.flush();
            shown = false;
        }
    }
}
