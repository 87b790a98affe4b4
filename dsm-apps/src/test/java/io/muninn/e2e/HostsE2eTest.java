package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.muninn.e2e.MarkedProcesses.Member;
import io.muninn.e2e.MarkedProcesses.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code dsm run --hosts} over a server of ssh that these tests start: several hosts in name, whose
 * nodes talk by TCP. Skipped where OpenSSH's server is not installed.
 */
@Tag("e2e")
class HostsE2eTest {
    private static final int FAILED = 1;
    private static final int USAGE = 2;
    private static final int NODE_LOST = 3;
    private static final Duration SOON = Duration.ofSeconds(20);

    /** The secret of a run is printed as so many hexadecimal digits. */
    private static final String SECRET = ".*[0-9a-f]{64}.*";

    @TempDir private static Path keys;

    @TempDir private Path folder;

    private static @Nullable SshServer server; // null if there is none to start

    @BeforeAll
    static void startServer() throws IOException, InterruptedException {
        if (SshServer.isInstalled()) {
            server = new SshServer(keys);
        }
    }

    @AfterAll
    static void endServer() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private static SshServer server() {
        assumeTrue(server != null, "there is no OpenSSH server to start");
        return server;
    }

    /** Options with blanks and quotes arrive as they are. */
    @Test
    void nodesOfSeveralHosts_areOneRunWithItsOutputAndReport()
            throws InterruptedException, IOException {
        Path json = folder.resolve("a report's file");
        List<String> line = line("a:2,b", "Ends");
        line.addAll(1, List.of("--json", json.toString(), "--jvm-option", "-Da='b  \"$c"));
        line.add("right");

        try (DsmRun run = DsmRun.start(line, Map.of(), List.of())) {
            DsmRun.Result result = run.await().assertStatus(0);

            assertEquals("", result.err());
            assertTrue(result.out().startsWith("verified: words are there\n"), result::toString);
            result.assertOut("3 nodes of 1 thread");
        }
        JsonObject report = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertEquals(3, report.get("nodes").getAsInt());
        assertTrue(report.get("verified").getAsBoolean());
    }

    @Test
    void hostThatCannotBeReached_isNamedWithTheRemedyBeforeAnythingStarts()
            throws InterruptedException {
        assertRefused(
                server().clientOfStranger(),
                "a,b",
                "dsm run: cannot reach host a: ",
                "Permission denied (publickey); '"
                        + server().clientOfStranger()
                        + " a true' has"
                        + " to succeed without a question: run it by hand, and 'ssh-copy-id a' if"
                        + " it asks for a password");
        assertRefused(
                server().client(),
                "a,no.invalid",
                "dsm run: cannot reach host no.invalid: ",
                "Could not resolve hostname no.invalid");
        assertRefused(
                "/no/ssh",
                "a",
                "dsm run: --hosts needs a client of ssh on this machine: ",
                "/no/ssh");
    }

    private static void assertRefused(String client, String hosts, String start, String part)
            throws InterruptedException {
        try (DsmRun run =
                DsmRun.start(
                        List.of("run", "--hosts", hosts, "--ssh", client, "hello"),
                        Map.of(),
                        List.of())) {
            DsmRun.Result result = run.await().assertStatus(USAGE).assertErr(part);
            assertEquals("", result.out());
            assertTrue(result.err().startsWith(start), result::toString);
            assertEquals(1, result.err().lines().count(), result::toString);
        }
    }

    @Tag("slow")
    @Test
    void failureOfTheProgram_isTheStatusAndInTheReport() throws InterruptedException, IOException {
        Path json = folder.resolve("report");
        List<String> line = line("a,b", "Ends");
        line.addAll(1, List.of("--json", json.toString()));
        line.add("wrong");

        try (DsmRun run = DsmRun.start(line, Map.of(), List.of())) {
            run.await().assertStatus(FAILED).assertOut("WRONG RESULT: on purpose");
        }
        JsonObject report = JsonParser.parseString(Files.readString(json)).getAsJsonObject();
        assertEquals("wrong result: on purpose", report.get("cause").getAsString());
    }

    @Tag("slow")
    @Test
    void reportOnStandardOutput_isAloneThere() throws InterruptedException {
        List<String> line = line("a,b", "Ends");
        line.addAll(1, List.of("--json", "-"));
        line.add("right");

        try (DsmRun run = DsmRun.start(line, Map.of(), List.of())) {
            DsmRun.Result result = run.await().assertStatus(0);
            assertTrue(JsonParser.parseString(result.out()).isJsonObject(), result::toString);
            result.assertErr("verified: words are there\n");
        }
    }

    @Tag("slow")
    @Test
    void launcherThatIsKilled_leavesNothingOnItsHosts() throws InterruptedException {
        List<String> line = line("a,b", "Endless");

        try (DsmRun run = DsmRun.start(line, Map.of(), List.of())) {
            run.awaitOutput("under way", 2);
            for (Member member : run.processes().all()) {
                assertFalse(
                        member.command().stream().anyMatch(word -> word.matches(SECRET)),
                        () -> "a secret is on the command line of " + member);
            }
            run.process().destroyForcibly();

            assertEquals(List.of(), run.processes().awaitNone(SOON));
        }
    }

    @Tag("slow")
    @Test
    void launcherThatIsInterrupted_endsItsHosts() throws InterruptedException {
        try (DsmRun run = DsmRun.start(line("a,b", "Endless"), Map.of(), List.of())) {
            run.awaitOutput("under way", 2);

            run.process().destroy();

            assertEquals(143, run.await(SOON).status());
        }
    }

    @Tag("slow")
    @Test
    void agentThatIsKilled_isALostNodeOnANamedHost() throws InterruptedException {
        try (DsmRun run = DsmRun.start(line("a,b", "Endless"), Map.of(), List.of())) {
            run.awaitOutput("under way", 2);

            run.processes().all().stream()
                    .filter(member -> member.role() == Role.AGENT && member.isOf(1))
                    .forEach(member -> member.signal("KILL"));

            run.await(SOON)
                    .assertStatus(NODE_LOST)
                    .assertErr(
                            "dsm run: node 1 is lost: its agent on host b was killed, or the"
                                    + " connection of ssh is broken");
        }
    }

    /** A program for tests, on hosts of the server. */
    private static List<String> line(String hosts, String program) {
        List<String> line = new ArrayList<>(List.of("run", "--hosts", hosts));
        line.addAll(List.of("--ssh", server().client()));
        line.addAll(DsmRun.words(DsmRun.QUICK + DsmRun.program(program)));
        return line;
    }
}
