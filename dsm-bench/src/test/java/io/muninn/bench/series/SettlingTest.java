package io.muninn.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** The end of a warm-up, with given times and a given clock. */
class SettlingTest {
    private static final int BATCH = 10;
    private static final int BATCHES_MIN = 6;
    private static final int OPERATIONS_MAX = 1000;
    private static final long NANOS_MAX = 1_000_000;

    private long nowNanos;

    /** Adds times until the warm-up is over. */
    private Settling settle(IntUnaryOperator nanos) {
        Settling.Bounds bounds = new Settling.Bounds(BATCH, BATCHES_MIN, OPERATIONS_MAX, NANOS_MAX);
        Settling settling = new Settling(bounds, () -> nowNanos);
        for (int i = 0; !settling.isOver(); i++) {
            assertTrue(i < 2 * OPERATIONS_MAX, "never over");
            int each = nanos.applyAsInt(i);
            settling.add(each);
            nowNanos += each;
        }
        return settling;
    }

    @Test
    void whatStaysTheSame_hasSettledAfterTheFewestBatches() {
        Settling settling = settle(i -> 100);

        assertEquals(new Measured.WarmUp(BATCH * BATCHES_MIN, true), settling.result());
    }

    @Test
    void whatBecomesFaster_isRepeatedUntilItStaysTheSame() {
        Settling settling = settle(i -> Math.max(100, 500 - 2 * i)); // falls over 200 operations

        Measured.WarmUp result = settling.result();
        assertTrue(result.settled());
        assertTrue(result.operations() > 380, result::toString); // the last half is constant
        assertTrue(result.operations() < 420, result::toString);
    }

    @Test
    void fallOfTwoPercent_isNoise() {
        Settling settling = settle(i -> i < BATCH * BATCHES_MIN / 2 ? 100 : 98);

        assertEquals(new Measured.WarmUp(BATCH * BATCHES_MIN, true), settling.result());
    }

    @Test
    void fewSlowOperations_doNotKeepItFromSettling() {
        Settling settling = settle(i -> i % BATCH < 4 ? 10_000 - i : 100);

        assertEquals(BATCH * BATCHES_MIN, settling.result().operations());
    }

    @Test
    void whatBecomesSlower_hasSettled() {
        assertTrue(settle(i -> 100 + i).result().settled());
    }

    @Test
    void whatGoesOnBecomingFaster_endsAtTheBoundOfOperations() {
        Settling settling = settle(i -> 100_000 * BATCH / (i / BATCH * BATCH + BATCH) / 100);

        assertEquals(new Measured.WarmUp(OPERATIONS_MAX, false), settling.result());
    }

    @Test
    void whatTakesTooLong_endsWithItsBatchAndHasNotSettled() {
        Settling settling = settle(i -> (int) NANOS_MAX / BATCH / 2);

        assertEquals(new Measured.WarmUp(3 * BATCH, false), settling.result());
    }

    @Test
    void series_forgetsTheWarmUpAndIsFullThen() {
        Series series = new Series("x", 10, new Settling.Bounds(1, 3, 3, NANOS_MAX));
        for (int i = 0; i < 3; i++) {
            assertFalse(series.isWarm());
            series.add(1_000_000);
        }
        assertTrue(series.isWarm());
        series.begin();
        for (int i = 10; i >= 1; i--) {
            assertFalse(series.isFull());
            series.add(i);
        }
        assertTrue(series.isFull());
        series.add(1_000_000);
        series.sent(2, 34);

        Measured.WarmUp warmUp = new Measured.WarmUp(3, true);
        assertEquals(
                new Measured("x", 6, 10, 10, 2, 34, Measured.Cpu.UNKNOWN, warmUp),
                series.measured());
    }

    @Test
    void lineOfAMeasurement_isReadAsItWasWritten() {
        Measured measured =
                new Measured(
                        "x",
                        6,
                        10,
                        100,
                        2,
                        34,
                        new Measured.Cpu(1, 2, 3, 4),
                        new Measured.WarmUp(120, false));

        assertEquals(measured, Measured.parse(measured.line().split(" ")));
        assertThrows(
                IllegalArgumentException.class,
                () -> Measured.parse((measured.line() + " more").split(" ")));
    }

    @Test
    void seriesOfWarmUpAlone_saysSo() {
        Series series = new Series("x", 10, new Settling.Bounds(1, 3, 3, NANOS_MAX));
        series.add(1);

        assertThrows(IllegalStateException.class, series::measured);
    }
}
