package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.e2e.BadLink.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two agents over a link that delays, drops, repeats, reorders, alters, cuts or forges: a run ends
 * verified, or with the loss of a node that both sides name; never with a wrong result, and never
 * not at all.
 */
@Tag("e2e")
class BadLinkE2eTest {
    private static final String PROGRAM = "diff --rows 64 --columns 512 --sweeps 40";
    private static final String PLAIN = "--plaintext";
    private static final String TLS = "--tls-loopback";
    private static final int SEEDS = Integer.getInteger("seeds", 6);
    private static final int NODE_LOST = 3;

    private static final String OVERDUE = "a message was lost or forged on its way";

    /** What comes of a run. */
    private enum Outcome {
        VERIFIED,
        LOST
    }

    @TempDir private Path folder;
    private Path secret = Path.of("");
    private final List<String> losses = new ArrayList<>();

    @BeforeEach
    void shareSecret() throws IOException {
        secret = Nodes.secretFile(folder, "secret", "what all nodes of this run share");
    }

    /**
     * TLS finds wrong bytes as such, and the link goes on with another connection, if that is made
     * in time. Without TLS, only a cut leaves no doubt about what is missing.
     */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"DELAY", "DROP", "DUPLICATE", "REORDER", "FLIP", "CUT"})
    void anyFaultAtAnyPlace_isHealedOrALoss(Fault fault) throws IOException, InterruptedException {
        boolean isNamed = fault != Fault.DELAY && fault != Fault.CUT;
        int withTls = 0;
        int healed = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            if (seed % 2 == 0) {
                assertEquals(
                        isNamed ? Outcome.LOST : Outcome.VERIFIED, outcome(fault, PLAIN, seed));
            } else {
                withTls++;
                healed += outcome(fault, TLS, seed) == Outcome.VERIFIED ? 1 : 0;
            }
        }
        assertTrue(2 * healed > withTls, healed + " of " + withTls + " healed with TLS: " + losses);
    }

    /** Without checksums, TLS alone finds what the network has altered. */
    @Tag("slow")
    @Test
    void alteredBitsWithoutChecksums_areFoundByTls() throws IOException, InterruptedException {
        assertEquals(Outcome.VERIFIED, outcome(Fault.FLIP, TLS + " --checksums off", 5));
    }

    /** A message is missing, and nothing shows it but that its receiver waits. */
    @Tag("slow")
    @Test
    void forgedNumbers_endTheRunByItsDeadline() throws IOException, InterruptedException {
        for (long seed = 0; seed < SEEDS / 2; seed++) {
            DsmRun.Result[] both = run(Fault.SWALLOW, PLAIN, seed);
            for (DsmRun.Result each : both) {
                each.assertStatus(NODE_LOST).assertErr(OVERDUE);
            }
        }
    }

    /** Nobody but the root decides that a run is over, and its own verdict cannot be forged. */
    @Tag("slow")
    @Test
    void forgedEnd_isNoSuccessOfTheRoot() throws IOException, InterruptedException {
        for (long seed = 0; seed < SEEDS / 2; seed++) {
            run(Fault.FINISHED, PLAIN, seed)[0].assertStatus(NODE_LOST);
        }
    }

    private Outcome outcome(Fault fault, String protection, long seed)
            throws IOException, InterruptedException {
        DsmRun.Result[] both = run(fault, protection, seed);
        if (both[0].status() == 0) {
            both[1].assertStatus(0);
            both[0].assertOut("verified");
            return Outcome.VERIFIED;
        }
        assertLost(both[0], 0, 1);
        assertLost(both[1], 1, 0);
        losses.add(fault + " at seed " + seed + ": " + both[0].err());
        return Outcome.LOST;
    }

    /**
     * The node has found the loss itself, or the other has told it. If bytes are missing from a
     * long frame, heartbeats fill it slowly, and the request that waits for it is overdue first.
     */
    private static void assertLost(DsmRun.Result result, int self, int other) {
        result.assertStatus(NODE_LOST);
        String own = "node " + other + " is lost: ";
        String told = "node " + other + " took node " + self + " for lost: ";
        assertTrue(
                Stream.of(own, told, OVERDUE).anyMatch(result.err()::contains), result::toString);
    }

    /** Runs once; the root's result is the first. */
    private DsmRun.Result[] run(Fault fault, String protection, long seed)
            throws IOException, InterruptedException {
        int port = Nodes.freePort();
        String rest = DsmRun.QUICK + protection + " --heartbeat 4 " + PROGRAM;
        try (BadLink link = BadLink.open(port, fault, seed);
                DsmRun zero = Nodes.start(0, 2, "127.0.0.1:" + port, secret, rest);
                DsmRun one = Nodes.start(1, 2, link.address(), secret, rest)) {
            DsmRun.Result other = one.await();
            DsmRun.Result root = zero.await();
            assertEquals(fault != Fault.DELAY, link.hasHarmed(), root::toString);
            return new DsmRun.Result[] {root, other};
        }
    }
}
