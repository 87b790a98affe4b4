package io.muninn.launch.process;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

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

    public void erase() {
        if (shown) {
            terminal.print(ERASE_LINE);
            terminal.flush();
            shown = false;
        }
    }
}
