package io.muninn.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each line of an output has its tag, and is written in one piece. */
class TaggedLinesTest {
    private final List<String> pieces = new ArrayList<>();
    private final OutputStream target =
            new ByteArrayOutputStream() {
                @Override
                public void write(byte[] bytes, int offset, int length) {
                    pieces.add(new String(bytes, offset, length, StandardCharsets.UTF_8));
                }
            };
    private final TaggedLines lines = new TaggedLines(target, "node 1: ");
    private final PrintStream program = new PrintStream(lines, true, StandardCharsets.UTF_8);

    @Test
    void lines_areTaggedAndWholeWhenTheyAreComplete() {
        program.print("a");
        program.print("b\n\nc");
        program.flush();

        assertEquals(List.of("node 1: ab\n", "node 1: \n"), pieces);
        program.println("→");
        assertEquals("node 1: c→\n", pieces.getLast());
    }

    @Test
    void lineThatIsNotComplete_isWrittenAtTheEnd() throws IOException {
        program.print("50 %");
        lines.close();
        lines.close();

        assertEquals(List.of("node 1: 50 %\n"), pieces);
    }

    @Test
    void longLine_isTaggedOnce() throws IOException {
        program.print("x".repeat(200_000));
        lines.close();

        String all = String.join("", pieces);
        assertEquals("node 1: " + "x".repeat(200_000) + "\n", all);
        assertTrue(pieces.size() > 2, "several pieces");
    }
}
