package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.e2e.BadLink.Fault;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two agents over a link that delays, drops, repeats, reorders, alters or cuts: a run ends
 * verified, or with the loss of the other node on both sides; never with a wrong result, and never
 * not at all.
 */
@Tag("e2e")
class BadLinkE2eTest {
    private static final String PROGRAM = "diff --rows 64 --columns 512 --sweeps 40";
    private static final String PLAIN = "--plaintext";
    private static final String TLS = "--tls-loopback";
    private static final int SEEDS = 6;
    private static final int NODE_LOST = 3;

    @TempDir private Path folder;
    private Path secret = Path.of("");

    @BeforeEach
    void shareSecret() throws IOException {
        secret = Nodes.secretFile(folder, "secret", "what all nodes of this run share");
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"FLIP, --plaintext, 1", "FLIP, --tls-loopback, 2"})
    void alteredBit_endsTheRunAndNamesTheNode(Fault fault, String protection, long seed)
            throws IOException, InterruptedException {
        assertTrue(isLost(fault, protection, seed), "the link has harmed nothing");
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"DELAY", "DROP", "DUPLICATE", "REORDER", "FLIP", "CUT"})
    void anyFaultAtAnyPlace_isALossOrNothing(Fault fault) throws IOException, InterruptedException {
        int lost = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            lost += isLost(fault, seed % 2 == 0 ? PLAIN : TLS, seed) ? 1 : 0;
        }
        assertEquals(fault != Fault.DELAY, lost > SEEDS / 2, lost + " of " + SEEDS);
    }

    /** Without checksums, TLS alone finds what the network has altered. */
    @Tag("slow")
    @Test
    void alteredBitsWithoutChecksums_areFoundByTls() throws IOException, InterruptedException {
        assertTrue(isLost(Fault.FLIP, TLS + " --checksums off", 5));
    }

    /** Runs once; true if both nodes were lost to each other, false if the run was verified. */
    private boolean isLost(Fault fault, String protection, long seed)
            throws IOException, InterruptedException {
        int port = Nodes.freePort();
        String rest = DsmRun.QUICK + protection + " --heartbeat 4 " + PROGRAM;
        try (BadLink link = BadLink.open(port, fault, seed);
                DsmRun zero = Nodes.start(0, 2, "127.0.0.1:" + port, secret, rest);
                DsmRun one = Nodes.start(1, 2, link.address(), secret, rest)) {
            DsmRun.Result other = one.await();
            DsmRun.Result root = zero.await();
            assertEquals(fault != Fault.DELAY, link.hasHarmed(), root::toString);
            if (root.status() == 0) {
                other.assertStatus(0);
                root.assertOut("verified");
                return false;
            }
            root.assertStatus(NODE_LOST).assertErr("node 1 is lost");
            other.assertStatus(NODE_LOST).assertErr("node 0 is lost");
            return true;
        }
    }
}
