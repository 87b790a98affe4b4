package io.muninn.launch.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final PrintStream terminal = new PrintStream(screen, true, StandardCharsets.UTF_8);

    @Test
    void terminal_showsOneLineAndErasesIt() {
        Progress progress = new Progress(terminal, true);

        progress.show("4 nodes, 12 s");
        progress.erase();
        progress.erase();

        assertEquals("\r\033[K4 nodes, 12 s\r\r\033[K", screen.toString(StandardCharsets.UTF_8));
    }

    @Test
    void elsewhere_nothingIsWritten() {
        Progress progress = new Progress(terminal, false);

        progress.show("4 nodes, 12 s");
        progress.erase();

        assertEquals("", screen.toString(StandardCharsets.UTF_8));
    }
}
