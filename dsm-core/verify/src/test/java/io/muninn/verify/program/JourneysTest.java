package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import org.junit.jupiter.api.Test;

/** Programs whose pages move with locks, and initializations by several threads. */
class JourneysTest {
    private static final int SEEDS = 20;
    private static final int NODES = 3;
    private static final long HOLD_NANOS = 100_000;

    private static Coverage coverage(SeededRun.Options options) {
        Coverage coverage = new Coverage();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SeededRun.ofJourneys(seed, options).run(Checkers.all(coverage));
        }
        return coverage;
    }

    @Test
    void runs_keepEveryPromise_andPagesOutrunImages() {
        Coverage coverage = coverage(SeededRun.Options.ALL.only(Protocol.CONVENTIONAL));

        assertTrue(hits(coverage, "Conventional: AwaitCopy × WriteGrant:") > 0);
        assertTrue(hits(coverage, "× ReadReply: drop") > 0);
    }

    @Test
    void initializationByTwoThreads_meetsPagesThatOneOfThemHasTouched() {
        Coverage coverage = coverage(SeededRun.Options.ALL.only(Protocol.HOME_BASED));

        assertTrue(hits(coverage, "HomeBased: Initial × ") > 0);
    }

    /** The number of handled events in cells whose description contains this. */
    private static long hits(Coverage coverage, String cell) {
        return coverage.toText()
                .lines()
                .filter(line -> line.contains(cell) && !line.contains("Sealed"))
                .mapToLong(line -> Long.parseLong(line.strip().split(" ")[0]))
                .sum();
    }

    @Test
    void noProgram_canStandStill() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Program program = Journeys.of(seed, Protocol.CONVENTIONAL, NODES, HOLD_NANOS);
            new SequentialRun(program, seed).run();
        }
    }

    @Test
    void sameArguments_makeTheSameProgram() {
        Program once = Journeys.of(7, Protocol.MIGRATORY, NODES, HOLD_NANOS);

        assertEquals(once, Journeys.of(7, Protocol.MIGRATORY, NODES, HOLD_NANOS));
        assertFalse(once.equals(Journeys.of(8, Protocol.MIGRATORY, NODES, HOLD_NANOS)));
    }
}
