package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs of a user, with all that a user may want of them. */
@Tag("e2e")
class OwnProgramsE2eTest {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    @TempDir private Path folder;

    @Test
    void wordsPropertiesTagsAndPids_areThoseOfEachNode() throws Exception {
        Path json = folder.resolve("report");
        String line =
                DsmRun.programLine("--no-table", "TellsAll")
                        + " --rows 5 -n 2 -Dx=of%n --tag-output --jvm-option 1:-Dy=1 --json "
                        + json
                        + " -- -n 7";
        DsmRun.Result result = DsmRun.run(line).assertStatus(0);

        result.assertOut("node 0: --rows 5 -n 7, x is of0, y is null\n")
                .assertOut("node 1: --rows 5 -n 7, x is of1, y is 1\n")
                .assertOut("node 0: verified: 2 nodes have told\n")
                .assertErr("node 0: error\n")
                .assertErr("node 1: error\n");
        JsonArray nodes =
                JsonParser.parseString(Files.readString(json))
                        .getAsJsonObject()
                        .getAsJsonArray("perNode");
        JsonObject zero = nodes.get(0).getAsJsonObject();
        JsonObject one = nodes.get(1).getAsJsonObject();
        assertEquals(zero.get("agentPid"), one.get("agentPid"), "one agent");
        assertEquals(1, one.getAsJsonArray("applicationPids").size());
        assertFalse(
                zero.getAsJsonArray("applicationPids").equals(one.get("applicationPids")),
                nodes::toString);
    }

    @Test
    void simulatedProgram_isTheSame() throws InterruptedException {
        DsmRun.run("sim -n 3 -Dx=1 " + DsmRun.program("TellsAll a"))
                .assertStatus(0)
                .assertOut("a, x is 1, y is null\n")
                .assertOut("verified: 3 nodes have told");
    }

    @Test
    void wrongDeclaration_isToldOnceBeforeAnythingStarts() throws InterruptedException {
        DsmRun.Result result =
                DsmRun.run(DsmRun.programLine("-n 4", "TellsAll.Unannotated")).assertStatus(USAGE);

        assertEquals(
                "dsm run: long[10] of io.muninn.e2e.programs.TellsAll$Unannotated.count is not"
                        + " annotated: add @Shared\n",
                result.err());
    }

    @Tag("slow")
    @Test
    void mainOfTheUser_runsOnEveryNode() throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 2 --no-table", "TellsAll.ByMain"))
                .assertStatus(0)
                .assertOut("node 0 sees 2\n")
                .assertOut("node 1 sees 2\n");
        DsmRun.run(DsmRun.programLine("-n 1", "TellsAll.ByMain throw"))
                .assertStatus(FAILED)
                .assertErr("node 0: java.lang.IllegalStateException: told to throw\n\tat io.mun");
    }

    @Tag("slow")
    @Test
    void ownProgram_isComparedUnderEveryProtocol() throws InterruptedException {
        DsmRun.run("compare -n 2 " + DsmRun.program("TellsAll"))
                .assertStatus(0)
                .assertOut("one node")
                .assertOut("all weak");
    }

    /** The other node waits longer than a join may take. */
    @Tag("slow")
    @Test
    void debuggedNode_waitsForItsDebugger() throws Exception {
        List<String> words =
                DsmRun.words(DsmRun.programLine("-n 2 --debug 1 --join-timeout 0.1", "TellsAll"));
        try (DsmRun run = DsmRun.start(words, Map.of(), List.of())) {
            String hint = run.awaitErr("waits for a debugger on port ");
            resume(Integer.parseInt(hint.substring(hint.lastIndexOf(' ') + 1)));

            run.await().assertStatus(0).assertOut("verified: 2 nodes have told");
        }
    }

    /** Attaches by the debuggers' protocol, and has the JVM go on. */
    private static void resume(int port) throws IOException {
        byte[] handshake = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);
        byte[] resume = {0, 0, 0, 11, 0, 0, 0, 1, 0, 1, 9};
        try (Socket socket = connected(port)) {
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            DataInputStream in = new DataInputStream(socket.getInputStream());
            out.write(handshake);
            in.readFully(new byte[handshake.length]);
            out.write(resume);
            assertTrue(in.readInt() > 0, "an event, or the reply");
        }
    }

    private static Socket connected(int port) throws IOException {
        Socket[] connected = new Socket[1];
        boolean isConnected =
                MarkedProcesses.awaitUntil(
                        DsmRun.LIMIT,
                        () -> {
                            try {
                                connected[0] = new Socket(InetAddress.getLoopbackAddress(), port);
                                return true;
                            } catch (IOException notYet) {
                                return false;
                            }
                        });
        assertTrue(isConnected, "the JVM listens");
        return connected[0];
    }
}
