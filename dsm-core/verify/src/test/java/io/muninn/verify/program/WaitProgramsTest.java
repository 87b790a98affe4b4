package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.sim.Disruptions;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.sync.ProgramMessages;
import io.muninn.verify.check.Checkers;
import io.muninn.verify.check.Coverage;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Programs about waits: free of races, repeatable, and with the situations they are for. */
class WaitProgramsTest {
    private static final int SEEDS = Seeds.some(40);
    private static final int LAZY_SEEDS = Seeds.some(24);
    private static final int NODES = 3;
    private static final long HOLD_NANOS = 1_000;
    private static final List<Protocol> ALL = List.of(Protocol.values());

    @Test
    void correspondence_fillsWindowsAndHasNoRace() {
        int full = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Program program = Correspondence.of(seed, ALL, NODES, HOLD_NANOS);
            assertEquals(program, Correspondence.of(seed, ALL, NODES, HOLD_NANOS));
            full += program.letterBytes() > ProgramMessages.WINDOW_BYTES ? 1 : 0;
        }

        assertTrue(full > SEEDS / 2, full + " of " + SEEDS);
    }

    @Test
    void reusedBarriers_haveEveryWait() {
        long untilBroken = 0;
        long timed = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Program program = ReusedBarriers.of(seed, ReusedBarriers.PROTOCOL, NODES, HOLD_NANOS);
            untilBroken += awaits(program, Op.UNTIL_BROKEN, Op.UNTIL_BROKEN);
            timed += awaits(program, 0, Long.MAX_VALUE);
        }

        assertTrue(untilBroken > SEEDS, untilBroken + " waits until a barrier breaks");
        assertTrue(timed > SEEDS, timed + " waits with a limit");
    }

    /** Threads that have departed, but whose acquire is not done, wait for no other thread. */
    @Test
    void barriersOfLazyPages_mayBreakWhileADepartureIsUnderWay() {
        Coverage coverage = new Coverage();
        for (long seed = 1; seed <= LAZY_SEEDS; seed++) {
            Random random = new Random(SeededRun.spread(seed));
            int nodes = 3 + random.nextInt(3);
            RandomDelays delays =
                    new RandomDelays(
                            new Random(random.nextLong()), new Random(random.nextLong()), nodes);
            long holdNanos = delays.wakeNanosMax() + 1 + random.nextInt(100_000);
            Program program = ReusedBarriers.of(random.nextLong(), Protocol.LAZY, nodes, holdNanos);
            Disruptions trouble = new Disruptions(new Random(random.nextLong()), delays, 0, false);
            long limitNanos = TimeBounds.limitNanos(program, delays, trouble.healNanos());

            ProgramRun.run(program, delays, trouble, Checkers.all(coverage), limitNanos);
        }

        assertFalse(
                coverage.neverHit().stream()
                        .anyMatch(cell -> cell.contains("Broken × acquire performed")));
    }

    private static long awaits(Program program, long least, long most) {
        return program.scripts().stream()
                .flatMap(List::stream)
                .filter(step ->
                        step.op() instanceof Op.Await await
                                && await.timeoutNanos() >= least
                                && await.timeoutNanos() <= most)
                .count();
    }

    @Test
    void sameSeed_hasTheSameTraceHashes_ofItsOwn() {
        long[] hashes = new long[SEEDS];
        long[] again = new long[SEEDS];
        for (int seed = 0; seed < SEEDS; seed++) {
            hashes[seed] = hash(seed);
        }
        for (int seed = SEEDS - 1; seed >= 0; seed--) {
            again[seed] = hash(seed);
        }

        assertArrayEquals(hashes, again);
        assertEquals(SEEDS, Arrays.stream(hashes).distinct().count());
    }

    private static long hash(long seed) {
        return SeededRun.ofWaits(seed, SeededRun.Options.ALL).run(List.of()).traceHash();
    }
}
