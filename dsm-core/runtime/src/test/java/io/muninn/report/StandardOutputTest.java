package io.muninn.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StandardOutputTest {
    @Test
    void outputThatCannotBeWritten_isToldOnce() throws IOException {
        try (OutputStream full = new FileOutputStream("/dev/full")) {
            StandardOutput output = new StandardOutput(full);
            assertEquals(Optional.empty(), output.takeLoss());

            PrintStream out = new PrintStream(new BufferedOutputStream(output), true);
            out.println("a result");

            assertEquals(
                    Optional.of("cannot write standard output: No space left on device"),
                    output.takeLoss());
            out.flush();
            assertEquals(Optional.empty(), output.takeLoss());
        }
    }
}
