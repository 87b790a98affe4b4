package io.muninn.launch.process;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    @Test
    void workOfThisProcess_isShownUntilItIsOver() {
        CountDownLatch shownTwice = new CountDownLatch(2);
        PrintStream counting =
                new PrintStream(screen, true, StandardCharsets.UTF_8) {
                    @Override
                    public void print(String text) {
                        super.print(text);
                        shownTwice.countDown();
                    }
                };

        try (Progress.Shown _ = new Progress(counting, true).during("work", Duration.ofMillis(1))) {
            assertDoesNotThrow(() -> assertTrue(shownTwice.await(1, TimeUnit.MINUTES)));
        }

        String text = screen.toString(StandardCharsets.UTF_8);
        assertTrue(text.startsWith("\r\033[Kwork, 0 s\r"), text);
        assertTrue(text.endsWith("\r\033[K"), text);
    }

    @Test
    void workWithoutATerminal_isNotShown() {
        Progress progress = new Progress(terminal, false);

        try (Progress.Shown _ = progress.during("work", Duration.ofNanos(1))) {
            assertTrue(
                    Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().equals("muninn-progress")));
        }

        assertEquals("", screen.toString(StandardCharsets.UTF_8));
    }
}
