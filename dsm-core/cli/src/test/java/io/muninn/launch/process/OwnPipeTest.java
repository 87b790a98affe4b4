package io.muninn.launch.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OwnPipeTest {
    @Test
    void childThatOpensThePath_readsWhatIsWrittenUpToTheEnd()
            throws IOException, InterruptedException {
        OwnPipe other = OwnPipe.open();
        OwnPipe pipe = OwnPipe.open();
        Process child = new ProcessBuilder("cat", pipe.path().toString()).start();
        pipe.out().write("words".getBytes(StandardCharsets.US_ASCII));
        String first = new String(child.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);

        pipe.out().close();

        assertEquals("words", first);
        assertEquals(0, child.waitFor());
        other.out().close();
    }
}
