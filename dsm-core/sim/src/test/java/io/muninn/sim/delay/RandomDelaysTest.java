package io.muninn.sim.delay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RandomDelaysTest {
    private static final int NODES = 4;
    private static final int DRAWS = 200;

    @Test
    void sameSeeds_giveTheSameDelays() {
        assertArrayEquals(draws(delays(7, 1)), draws(delays(7, 1)));
        assertFalse(Arrays.equals(draws(delays(7, 1)), draws(delays(7, 2))));
    }

    @Test
    void kindsOfDelay_drawFromSequencesOfTheirOwn() {
        RandomDelays one = delays(7, 1);
        RandomDelays other = delays(7, 1);
        for (int i = 0; i < DRAWS; i++) {
            other.wake();
            other.message(0, 1, 8);
        }

        assertArrayEquals(draws(one), draws(other));
    }

    @Test
    void runs_differWildly() {
        long shortest = Long.MAX_VALUE;
        long longest = 0;
        int slowerWakeUps = 0;
        for (int seed = 0; seed < 200; seed++) {
            RandomDelays delays = delays(seed, 0);
            long message = delays.message(0, 1, 8);
            shortest = Math.min(shortest, message);
            longest = Math.max(longest, message);
            slowerWakeUps += delays.wake() > message ? 1 : 0;
        }

        assertTrue(shortest < 100, () -> "no message is fast");
        assertTrue(longest > 200_000, () -> "no message is slow");
        assertTrue(slowerWakeUps > 40 && slowerWakeUps < 160, "slower: " + slowerWakeUps);
    }

    @Test
    void noDelay_isLongerThanTheLongest() {
        for (int seed = 0; seed < 200; seed++) {
            RandomDelays delays = delays(seed, 0);
            for (int i = 0; i < DRAWS; i++) {
                assertTrue(delays.wake() <= delays.wakeNanosMax());
                assertTrue(delays.message(2, 3, 4096) <= delays.nanosMax(4096));
                assertTrue(delays.timer() <= delays.nanosMax(0));
            }
        }
    }

    @Test
    void linksOfManyNodes_areTheSameInAnyOrderOfUse() {
        int nodes = NodeId.LIVE_MAX + 1;
        for (int seed = 0; seed < 20; seed++) {
            RandomDelays one = new RandomDelays(new Random(seed), new Random(~seed), nodes);
            RandomDelays other = new RandomDelays(new Random(seed), new Random(~seed), nodes);
            long longest = one.nanosMax(8);
            long first = one.message(3, 64, 8);
            for (int to = 0; to < nodes; to++) {
                assertTrue(other.message(64, to, 8) <= longest);
            }

            assertEquals(first, other.message(3, 64, 8));
            assertEquals(longest, other.nanosMax(8));
        }
    }

    @Test
    void lateTimers_areLateUntilTheyAreNotAnyMore() {
        RandomDelays delays = delays(3, 0);
        long usual = delays.nanosMax(0);

        delays.timersLate(1_000_000_000);
        boolean late = false;
        for (int i = 0; i < DRAWS; i++) {
            late |= delays.timer() > usual;
        }
        delays.timersLate(0);

        assertTrue(late);
        for (int i = 0; i < DRAWS; i++) {
            assertTrue(delays.timer() <= usual);
        }
    }

    private static RandomDelays delays(long character, long sequences) {
        return new RandomDelays(
                new Random(character * 0x9E3779B97F4A7C15L), new Random(sequences), NODES);
    }

    private static long[] draws(RandomDelays delays) {
        long[] draws = new long[3 * DRAWS];
        for (int i = 0; i < draws.length; i += 3) {
            draws[i] = delays.step(1);
            draws[i + 1] = delays.message(1, 2, 100);
            draws[i + 2] = delays.timer();
        }
        return draws;
    }
}
