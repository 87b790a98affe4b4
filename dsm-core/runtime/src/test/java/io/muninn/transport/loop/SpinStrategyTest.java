package io.muninn.transport.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;

/** Time passes when the loop yields, and as the test sets it. */
class SpinStrategyTest {
    private static final long BOUND_NANOS = 50_000;
    private static final long YIELD_NANOS = 500;

    private long nowNanos;
    private long yieldNanos = YIELD_NANOS;
    private int looks;
    private int readyAtLook = Integer.MAX_VALUE;

    private SpinStrategy strategy(long boundNanos) {
        return new SpinStrategy(boundNanos, () -> nowNanos, () -> nowNanos += yieldNanos);
    }

    private int decide(SpinStrategy strategy, boolean hasTasks) throws Exception {
        looks = 0;
        return strategy.calculateStrategy(() -> ++looks >= readyAtLook ? 3 : 0, hasTasks);
    }

    @Test
    void eventWithinTheBound_isTakenAtOnce() throws Exception {
        readyAtLook = 20;

        assertEquals(3, decide(strategy(BOUND_NANOS), false));
        assertEquals(20, looks);
    }

    @Test
    void noEvent_blocksAfterTheBound() throws Exception {
        assertEquals(SelectStrategy.SELECT, decide(strategy(BOUND_NANOS), false));
        assertEquals(BOUND_NANOS / YIELD_NANOS, looks);
        assertEquals(BOUND_NANOS, nowNanos);
    }

    @Test
    void timesInVain_areHalvedDownToOneLook() throws Exception {
        SpinStrategy strategy = strategy(BOUND_NANOS);

        int before = Integer.MAX_VALUE;
        for (int i = 0; i < 30; i++) {
            assertEquals(SelectStrategy.SELECT, decide(strategy, false));
            assertTrue(looks <= Math.max(1, before / 2 + 1), looks + " after " + before);
            before = looks;
            nowNanos += 10 * BOUND_NANOS; // blocked for long
        }
        assertEquals(1, before);
    }

    @Test
    void waitShorterThanTheBound_makesItLookForTheWholeBoundAgain() throws Exception {
        SpinStrategy strategy = strategy(BOUND_NANOS);
        for (int i = 0; i < 30; i++) {
            decide(strategy, false);
            nowNanos += 10 * BOUND_NANOS;
        }
        decide(strategy, false);
        nowNanos += BOUND_NANOS / 2;

        decide(strategy, false);

        assertEquals(BOUND_NANOS / YIELD_NANOS, looks);
    }

    @Test
    void cpuTakenByAnotherThread_endsTheSpinAtOnce() throws Exception {
        yieldNanos = 2_000_000;

        assertEquals(SelectStrategy.SELECT, decide(strategy(BOUND_NANOS), false));
        assertEquals(1, looks);
    }

    @Test
    void tasks_areNotKeptWaiting() throws Exception {
        assertEquals(0, decide(strategy(BOUND_NANOS), true));
        assertEquals(1, looks);
        assertEquals(0, nowNanos);
    }

    @Test
    void withoutABound_blocksWithoutALook() throws Exception {
        assertEquals(SelectStrategy.SELECT, decide(strategy(0), false));
        assertEquals(0, looks);
    }
}
