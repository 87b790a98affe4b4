package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.muninn.e2e.programs.Endless;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two agents whose connection breaks in between: the run goes on and is verified, if the
 * interruption is shorter than the heartbeat limit.
 */
@Tag("e2e")
class HealE2eTest {
    private static final String TLS = "--tls-loopback ";
    private static final String SHORT = "counter --increments 40";
    private static final String LONG = "--protocol conventional counter --increments 4000";
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final int SEEDS = Integer.getInteger("seeds", 4);
    private static final int FIRST = Integer.getInteger("first", 0);
    private static final int LIMIT_SECONDS = Integer.getInteger("heartbeat", 5);
    private static final int INTERRUPTIONS = 10; // of a run
    private static final int LONGEST_MILLIS = 3_500; // an agent needs some time to dial
    private static final Duration TO_JOIN = Duration.ofMinutes(4); // on a machine that is busy
    private static final int PAUSE_MILLIS = 1_000; // the longest
    private static final List<String> COUNTERS =
            List.of("linksHealed", "framesAgain", "bytesAgain");

    @TempDir private Path folder;
    private Path secret = Path.of("");

    @BeforeEach
    void shareSecret() throws IOException {
        secret = Nodes.secretFile(folder, "secret", "what all nodes of this run share");
    }

    private DsmRun root(int port, String rest) {
        return Nodes.start(0, 2, "127.0.0.1:" + port, secret, DsmRun.QUICK + rest);
    }

    private DsmRun other(Sidecar sidecar, String rest) {
        return Nodes.start(1, 2, sidecar.address(), secret, DsmRun.QUICK + rest);
    }

    private static void assertAreVerified(DsmRun zero, DsmRun one) throws InterruptedException {
        DsmRun.Result root = zero.await();
        one.await().assertStatus(0);
        root.assertStatus(0).assertOut("verified");
    }

    /** Three cuts of one run, which its counters show. */
    @Test
    void linkThatIsCut_healsAndIsCounted() throws IOException, InterruptedException {
        int port = Nodes.freePort();
        Path json = folder.resolve("report.json");
        String rest = TLS + "--heartbeat 20 --protocol conventional ";
        try (Sidecar sidecar = Sidecar.cutting(port, 3, 3, 6_000);
                DsmRun zero = root(port, rest + "--json " + json + " " + SHORT);
                DsmRun one = other(sidecar, rest + SHORT)) {
            assertAreVerified(zero, one);

            assertEquals(0, Math.max(0, sidecar.cutsLeft()));
            assertTrue(total(json, "linksHealed") > 0, () -> zero.err() + one.err());
            assertTrue(total(json, "bytesAgain") >= 20 * total(json, "framesAgain"));
        }
    }

    private static long total(Path json, String counter) throws IOException {
        return JsonParser.parseString(Files.readString(json))
                .getAsJsonObject()
                .getAsJsonObject("totals")
                .get(counter)
                .getAsLong();
    }

    /** Two hundred cuts in all, at random places of twenty runs. */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "'diff --rows 64 --columns 512 --sweeps 40'",
        "'--protocol conventional counter --increments 300'",
        "'--protocol lazy counter --increments 300'",
        "'histogram'",
        "'mult --size 128'"
    })
    void randomCuts_areNoLossAndHarmNothing(String program)
            throws IOException, InterruptedException {
        for (long seed = 0; seed < 4; seed++) {
            int port = Nodes.freePort();
            String rest = (seed % 2 == 0 ? TLS : "--plaintext ") + "--heartbeat 20 " + program;
            try (Sidecar sidecar = Sidecar.cutting(port, seed, 10, 20_000);
                    DsmRun zero = root(port, rest);
                    DsmRun one = other(sidecar, rest)) {
                assertAreVerified(zero, one);
            }
        }
    }

    /**
     * Several interruptions of a run, at random moments and of random lengths; nobody answers, or
     * nothing is heard. Prints what was sent again. {@code -Dseeds=…} sets the number of runs,
     * {@code -Dfirst=…} the first, {@code -Dheartbeat=…} the limit in seconds.
     */
    @Tag("slow")
    @Test
    void randomInterruptions_areNoLossAndAreCounted() throws IOException, InterruptedException {
        Map<String, long[]> sums = new TreeMap<>();
        List<String> failures = new ArrayList<>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            String protection = seed % 2 == 0 ? TLS : "--plaintext ";
            long[] sum =
                    sums.computeIfAbsent(protection.strip(), _ -> new long[2 + COUNTERS.size()]);
            Path json = folder.resolve("report-" + seed + ".json");
            sum[0]++;
            try {
                interruptAtRandom(seed, protection, json);
            } catch (AssertionError failed) { // the rest is done all the same
                failures.add("seed " + seed + ": " + failed);
                continue;
            }
            sum[1] += INTERRUPTIONS;
            for (int i = 0; i < COUNTERS.size(); i++) {
                sum[2 + i] += total(json, COUNTERS.get(i));
            }
        }
        print(sums);
        assertEquals(List.of(), failures);
        for (long[] sum : sums.values()) {
            assertTrue(sum[2] > 0 && sum[3] > 0 && sum[4] >= 20 * sum[3], Arrays.toString(sum));
        }
    }

    private static void print(Map<String, long[]> sums) {
        String header = "%-16s %5s %13s %12s %12s %12s%n";
        System.out.printf(header, "link", "runs", "interruptions", "healed", "frames", "bytes");
        sums.forEach((link, sum) ->
                System.out.printf(
                        Locale.ROOT, header, link, sum[0], sum[1], sum[2], sum[3], sum[4]));
    }

    private static long healed(DsmRun run) {
        return run.err().lines().filter(line -> line.contains("event=healed")).count();
    }

    /** The run goes on until the last interruption is over. */
    private void interruptAtRandom(long seed, String protection, Path json)
            throws IOException, InterruptedException {
        Random random = new Random(seed);
        int port = Nodes.freePort();
        Path end = folder.resolve("end-" + seed);
        String rest =
                protection
                        + "--heartbeat "
                        + LIMIT_SECONDS
                        + " --log-level info "
                        + DsmRun.program("Endless " + end);
        try (Sidecar sidecar = Sidecar.open(port);
                DsmRun zero = root(port, "--json " + json + " " + rest);
                DsmRun one = other(sidecar, rest)) {
            zero.awaitOutput(Endless.UNDER_WAY, 1, TO_JOIN);
            one.awaitOutput(Endless.UNDER_WAY, 1, TO_JOIN);
            for (int i = 0; i < INTERRUPTIONS; i++) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(PAUSE_MILLIS)));
                int millis = random.nextInt(LONGEST_MILLIS);
                long before = healed(zero);
                interrupt(sidecar, millis, random.nextBoolean());
                assertTrue( // two without a link between them are one
                        MarkedProcesses.awaitUntil(
                                DsmRun.LIMIT,
                                () -> healed(zero) > before || !zero.process().isAlive()));
            }
            Files.createFile(end);

            assertAreVerified(zero, one);
        }
    }

    /** In parts of a limit of five seconds; nobody answers, or nothing is heard. */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({
        "500, false",
        "2000, false",
        "4500, false",
        "500, true",
        "2000, true",
        "4500, true"
    })
    void interruptionWhileTheProgramRuns_isNoLoss(int millis, boolean isSilent)
            throws IOException, InterruptedException {
        int port = Nodes.freePort();
        String rest = TLS + "--heartbeat 5 --log-level info " + LONG;
        try (Sidecar sidecar = Sidecar.open(port);
                DsmRun zero = root(port, rest);
                DsmRun one = other(sidecar, rest)) {
            zero.awaitErr("event=started");
            one.awaitErr("event=started");
            interrupt(sidecar, millis, isSilent);

            assertAreVerified(zero, one);
        }
    }

    /** Interruptions of a second that begin at any time of a run: it joins, it works, it ends. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void interruptionAtAnyTime_isNoLoss(boolean isSilent) throws IOException, InterruptedException {
        for (int step = 0; step < 12; step++) {
            int port = Nodes.freePort();
            String rest = (step % 2 == 0 ? TLS : "--plaintext ") + "--heartbeat 5 " + SHORT;
            try (Sidecar sidecar = Sidecar.open(port);
                    DsmRun zero = root(port, rest);
                    DsmRun one = other(sidecar, rest)) {
                LockSupport.parkNanos(STEP_NANOS * step);
                interrupt(sidecar, 1_000, isSilent);

                assertAreVerified(zero, one);
            }
        }
    }

    private static void interrupt(Sidecar sidecar, int millis, boolean isSilent) {
        if (isSilent) {
            sidecar.goDark();
        } else {
            sidecar.goAway();
        }
        LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
        sidecar.comeBack();
    }
}
