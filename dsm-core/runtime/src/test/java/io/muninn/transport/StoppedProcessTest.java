package io.muninn.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.transport.net.Address;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Signals to a real process: this process is the root, node 1 is a child. */
class StoppedProcessTest {
    @Test
    void killedProcess_isLostAtOnce() throws Exception {
        try (Pair pair = new Pair()) {
            pair.child.destroyForcibly();

            TestNode.Loss loss = TestNode.take(pair.root.losses);
            assertEquals(NodeId.of(1), loss.node());
        }
    }

    /** A connection by TCP may have been cut in between; the process shows that it was not. */
    @Test
    void killedProcessOfThisHost_isLostBeforeTheLimitByTcp() throws Exception {
        try (Pair pair = new Pair(new Address.Tcp("localhost", 0))) {
            pair.child.destroyForcibly();

            String reason = TestNode.take(pair.root.losses).reason();
            assertTrue(reason.endsWith("; its process " + pair.child.pid() + " has ended"), reason);
        }
    }

    @Test
    void stoppedProcess_isLostBySilenceAndBlamesNobodyWhenItGoesOn() throws Exception {
        try (Pair pair = new Pair()) {
            pair.signal("STOP");
            assertEquals(
                    new TestNode.Loss(NodeId.of(1), "silent for 500 ms"),
                    TestNode.take(pair.root.losses));

            pair.signal("CONT");

            assertEquals(
                    "failed node 0 took node 1 for lost: silent for 500 ms",
                    TestNode.take(pair.lines));
            assertTrue(pair.child.waitFor(TestNode.SECONDS_MAX, TimeUnit.SECONDS));
            assertEquals(0, pair.child.exitValue());
        }
    }

    private static final class Pair implements AutoCloseable {
        final TestNode root;
        final Process child;
        final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        Pair() throws Exception {
            this(TestCluster.unixRoot());
        }

        Pair(Address wanted) throws Exception {
            root =
                    new TestNode(
                                    NodeProcess.config("0", "2", wanted.toString()),
                                    TestNode::receivedOnly)
                            .start();
            boolean byPort = wanted instanceof Address.Tcp; // chosen by the root
            Address address = byPort ? TestNode.await(root.listening) : wanted;
            child =
                    new ProcessBuilder(
                                    ProcessHandle.current().info().command().orElseThrow(),
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-Xmx64m",
                                    "-XX:+UseSerialGC",
                                    "-XX:TieredStopAtLevel=1",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    NodeProcess.class.getName(),
                                    "1",
                                    "2",
                                    address.toString())
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            Thread.ofVirtual().start(this::readLines);
            TestNode.await(root.started);
            assertEquals("started", TestNode.take(lines));
        }

        private void readLines() {
            try (BufferedReader out = child.inputReader()) {
                out.lines().forEach(lines::add);
            } catch (IOException cause) {
                lines.add("reading failed: " + cause);
            }
        }

        void signal(String name) throws Exception {
            Process kill =
                    new ProcessBuilder("kill", "-" + name, Long.toString(child.pid())).start();
            assertEquals(0, kill.waitFor());
        }

        @Override
        public void close() {
            child.destroyForcibly();
            child.onExit().orTimeout(TestNode.SECONDS_MAX, TimeUnit.SECONDS).join();
            root.close();
        }
    }
}
