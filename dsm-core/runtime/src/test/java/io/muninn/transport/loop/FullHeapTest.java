package io.muninn.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An agent without memory ends at once and says so, in a JVM of its own. */
class FullHeapTest {
    private static final int SECONDS_MAX = 60;

    @Test
    void agentWhoseHeapIsFull_endsAndSaysSo() throws Exception {
        Process agent =
                new ProcessBuilder(
                                ProcessHandle.current().info().command().orElseThrow(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-Xmx16m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Greedy.class.getName())
                        .start();
        try {
            String said = new String(agent.getErrorStream().readAllBytes());

            assertTrue(agent.waitFor(SECONDS_MAX, TimeUnit.SECONDS));
            assertEquals(1, agent.exitValue(), said);
            assertTrue(said.contains("the agent has no memory left"), said);
        } finally {
            agent.destroyForcibly();
        }
    }

    /** Fills its heap in a callback. */
    static final class Greedy {
        private static final int BLOCK_BYTES = 1 << 10;
        private static final List<byte[]> KEPT = new ArrayList<>();

        private Greedy() {}

        static void main() {
            AgentEventLoop loop = new AgentEventLoop(Throwable::printStackTrace);
            loop.execute(Greedy::fill);
        }

        private static void fill() {
            while (true) {
                KEPT.add(new byte[BLOCK_BYTES]);
            }
        }
    }
}
