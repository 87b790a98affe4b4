package io.muninn.sim.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.sync.ProgramMessages;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Programs about waits: free of races, repeatable, and with what they are for. */
class WaitProgramsTest {
    private static final int SEEDS = 40;
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
            Program program = ReusedBarriers.of(seed, NODES, HOLD_NANOS);
            untilBroken += awaits(program, Op.UNTIL_BROKEN, Op.UNTIL_BROKEN);
            timed += awaits(program, 0, Long.MAX_VALUE);
        }

        assertTrue(untilBroken > SEEDS, untilBroken + " waits until a barrier breaks");
        assertTrue(timed > SEEDS, timed + " waits with a limit");
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
