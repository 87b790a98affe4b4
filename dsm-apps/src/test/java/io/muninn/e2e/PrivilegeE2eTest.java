package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With all privileges, with a user's, and where no process may have a userfaultfd. */
@Tag("e2e")
class PrivilegeE2eTest {
    private static final int FAILED = 1;
    private static final int USAGE = 2;

    /** A user who may read everything, since the classes under test may be in a private folder. */
    private static final List<String> AS_NOBODY =
            List.of(
                    "setpriv",
                    "--reuid=65534",
                    "--regid=65534",
                    "--clear-groups",
                    "--bounding-set=-all,+dac_read_search",
                    "--inh-caps=-all,+dac_read_search",
                    "--ambient-caps=-all,+dac_read_search");

    private static final String DENIAL = "deny_userfaultfd.c";
    private static final String MADE = "/tmp/deny";

    @TempDir private static Path folder;

    private static List<String> denied = List.of();
    private static List<String> allDenied = List.of();

    /** By the command of the documents, with another name for the program. */
    @BeforeAll
    static void compileDenial() throws IOException, InterruptedException {
        Path checkout = Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();
        String command =
                Files.readAllLines(checkout.resolve("docs/HACKING.md")).stream()
                        .filter(line -> line.startsWith("    cc ") && line.contains(DENIAL))
                        .findFirst()
                        .orElseThrow();
        assertTrue(command.contains(MADE), command);
        Path program = folder.resolve("deny_userfaultfd");
        String here = command.replace(MADE, program.toString());
        Process process =
                new ProcessBuilder("sh", "-c", here)
                        .directory(checkout.toFile())
                        .inheritIO()
                        .start();
        assertEquals(0, process.waitFor());
        denied = List.of(program.toString());
        allDenied = List.of(program.toString(), "--and-protectors");
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static DsmRun.Result run(List<String> prefix, String line) throws InterruptedException {
        try (DsmRun run = DsmRun.start(Arrays.asList(line.split(" ")), Map.of(), prefix)) {
            return run.await();
        }
    }

    private static JsonObject checkup(List<String> prefix, int status) throws InterruptedException {
        DsmRun.Result result = run(prefix, "doctor --json").assertStatus(status);
        return JsonParser.parseString(result.out()).getAsJsonObject();
    }

    private static List<Boolean> each(JsonObject checkup, String engine, String key) {
        return checkup.getAsJsonArray("engines").asList().stream()
                .map(JsonElement::getAsJsonObject)
                .filter(trial -> trial.get("engine").getAsString().equals(engine))
                .map(trial -> trial.get(key).getAsBoolean())
                .toList();
    }

    @Test
    void root_hasEveryWayAndSystemCalls() throws InterruptedException {
        assumeTrue(isRoot() && Files.exists(Path.of("/dev/userfaultfd")), "root and the device");

        JsonObject checkup = checkup(List.of(), 0);

        assertEquals(List.of(true, true, true), each(checkup, "uffd+event", "works"));
        assertEquals(List.of(true, true, false), each(checkup, "uffd+event", "systemCallsWait"));
        assertTrue(checkup.get("good").getAsBoolean());
        run(List.of(), "doctor")
                .assertStatus(0)
                .assertOut("uffd+event by /dev/userfaultfd: works")
                .assertOut("runs take engine ");
    }

    @Test
    void user_runsOnUserModeAndTransfersWithoutSystemCallsOnRegions() throws InterruptedException {
        assumeTrue(isRoot(), "only root can become another");

        JsonObject checkup = checkup(AS_NOBODY, 0);

        assertEquals(List.of(false, false, true), each(checkup, "uffd+event", "works"));
        assertEquals(List.of(false, false, false), each(checkup, "uffd+event", "systemCallsWait"));
        assertFalse(checkup.getAsJsonObject("auto").get("systemCallsWait").getAsBoolean());
        DsmRun.Result transfers =
                runProgram(AS_NOBODY, "-n 2 --engine uffd+event", "FileTransfers");
        transfers
                .assertStatus(0)
                .assertOut("verified: 6 turns")
                .assertOut(
                        "engine uffd+event (asked for, by the system call userfaultfd, user mode"
                                + " only, which passed every probe; system calls on shared memory fail)");
    }

    private static DsmRun.Result runProgram(List<String> prefix, String options, String program)
            throws InterruptedException {
        try (DsmRun run = DsmRun.startProgram(prefix, options, program)) {
            return run.await();
        }
    }

    @Test
    void engineThatIsDenied_isRefusedBeforeAnythingStarts() throws InterruptedException {
        DsmRun.Result refused = run(denied, "run -n 2 --engine uffd+event hello");

        refused.assertStatus(USAGE)
                .assertErr("dsm run: --engine uffd+event does not work here, see 'dsm doctor'")
                .assertErr("user mode only: EPERM (1); needs a seccomp profile that lets it");
        assertEquals("", refused.out());
    }

    @Test
    void machineWithoutUserfaultfd_runsOnMprotect() throws InterruptedException {
        JsonObject checkup = checkup(denied, 0);

        assertEquals(List.of(false, false, false), each(checkup, "uffd+signal", "works"));
        assertEquals(List.of(true), each(checkup, "mprotect+signal", "works"));
        assertEquals(
                "mprotect+signal", checkup.getAsJsonObject("auto").get("engine").getAsString());
        run(denied, "doctor")
                .assertStatus(0)
                .assertOut("mprotect+signal by a task beside the application's threads: works")
                .assertOut("it acts while they are stopped");
        run(denied, "run -n 2 hello")
                .assertStatus(0)
                .assertOut(
                        "engine mprotect+signal (auto, by a task beside the application's threads,"
                                + " which passed every probe; uffd+signal and uffd+event did not;"
                                + " system calls on shared memory fail)");
    }

    /** The one that Netty asks for first, and one that it asks for later. */
    @ParameterizedTest
    @ValueSource(strings = {"eventfd2", "timerfd_create"})
    void deniedSystemCallOfEveryNode_isNamed(String call) throws InterruptedException {
        List<String> prefix = List.of(denied.getFirst(), "--and", call);

        DsmRun.Result result = run(prefix, "run -n 1 hello");

        result.assertStatus(FAILED)
                .assertErr(
                        "node 0: the system refuses calls that an agent makes: "
                                + call
                                + " EPERM (1); needs a filter of system calls that lets them"
                                + " through");
        assertFalse(result.err().contains("\tat "), result::toString);
    }

    @Test
    void limitedFileSize_isRefusedBeforeAnythingStarts() throws InterruptedException {
        List<String> prefix = List.of("sh", "-c", "ulimit -f 100; exec \"$@\"", "sh");

        DsmRun.Result refused = run(prefix, "run -n 2 hello");

        refused.assertStatus(USAGE).assertErr("'ulimit -f unlimited'");
        assertFalse(refused.err().contains("\tat "), refused::toString);
    }

    /** Each of its processes has it; it takes the handlers of signals for itself. */
    @Tag("slow")
    @Test
    void runWithALibraryThatChainsSignals_takesTheUsualEngine() throws InterruptedException {
        Path library = Path.of(System.getProperty("java.home"), "lib", "libjsig.so");
        Map<String, String> preloaded = Map.of("LD_PRELOAD", library.toString());
        for (String engine : List.of("uffd+signal", "mprotect+signal")) {
            List<String> words = List.of("run", "-n", "2", "--engine", engine, "hello");
            try (DsmRun run = DsmRun.start(words, preloaded, List.of())) {
                run.await().assertStatus(0).assertOut("verified: ");
            }
        }
    }

    @Test
    void machineWhereAllIsDenied_saysWhatWouldHelp() throws InterruptedException {
        JsonObject checkup = checkup(allDenied, FAILED);

        assertEquals(List.of(false, false, false), each(checkup, "uffd+event", "works"));
        assertEquals(List.of(false), each(checkup, "mprotect+signal", "works"));
        assertTrue(checkup.get("auto").isJsonNull());
        run(allDenied, "doctor")
                .assertStatus(FAILED)
                .assertOut("note  seccomp")
                .assertOut("needs a seccomp profile that lets it through")
                .assertOut("needs a seccomp profile that lets clone with CLONE_VM through")
                .assertOut("runs find no engine that works here");
        run(allDenied, "run -n 2 --agents node hello")
                .assertStatus(FAILED)
                .assertErr("node 0: no engine works here, see 'dsm doctor'; tried:\n  uffd+signal")
                .assertErr("node 1: no engine works here, see 'dsm doctor'; tried:\n");
    }
}
