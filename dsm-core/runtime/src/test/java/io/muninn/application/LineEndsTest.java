package io.muninn.application;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Messages begin on a new line, regardless of the program's output before. */
class LineEndsTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final LineEnds lines = new LineEnds(new PrintStream(bytes, true));
    private final PrintStream program = new PrintStream(lines, true, StandardCharsets.UTF_8);

    private String printed() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Test
    void lineThatIsBegun_isEndedOnce() {
        program.print("50 %");
        lines.endLine(program);
        lines.endLine(program);

        assertEquals("50 %\n", printed());
    }

    @Test
    void lineThatIsEnded_andNone_stayAsTheyAre() {
        lines.endLine(program);
        program.println("50 %");
        program.write('\n');
        lines.endLine(program);

        assertEquals("50 %\n\n", printed());
    }
}
