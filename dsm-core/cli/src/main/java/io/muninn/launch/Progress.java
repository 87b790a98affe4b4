package io.muninn.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** One line on a terminal that says how far a run has come; nothing elsewhere. */
final class Progress {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final String ERASE_LINE = "\r\033[K";

    private final PrintStream terminal;
    private final boolean enabled;
    private boolean shown;

    Progress(PrintStream terminal, boolean enabled) {
        this.terminal = terminal;
        this.enabled = enabled;
    }

    /** True if standard error is a terminal; a JVM's console asks for input and output instead. */
    static boolean isTerminal() {
        try {
            String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return target.startsWith("/dev/pts/")
                    || target.startsWith("/dev/tty")
                    || target.equals("/dev/console");
        } catch (IOException unknown) {
            return false; // without such a file the quiet way is right
        }
    }

    /** The cursor stays at the start, so that what a program prints overwrites the line. */
    void show(String text) {
        if (enabled) {
            terminal.print(ERASE_LINE + text + "\r");
            terminal.flush();
            shown = true;
        }
    }

    void erase() {
        if (shown) {
            terminal.print(ERASE_LINE);
            terminal.flush();
            shown = false;
        }
    }
}
