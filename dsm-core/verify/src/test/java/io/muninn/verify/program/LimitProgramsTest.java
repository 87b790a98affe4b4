package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.spi.ReservedBarriers;
import io.muninn.verify.check.Checkers;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Programs that reach limits: they are repeatable, and reach the states they are for. */
class LimitProgramsTest {
    private static final int SEEDS = Seeds.some(40);
    private static final int NODES = 3;
    private static final long HOLD_NANOS = 1_000;

    @Test
    void endings_haveAllocationsAndEnds() {
        LongFunction<Program> endings = seed -> Endings.of(seed, NODES, HOLD_NANOS);

        assertTrue(count(endings, LimitProgramsTest::isAllocation) > SEEDS);
        assertTrue(count(endings, op -> isAt(op, ReservedBarriers.END.name())) > SEEDS);
        assertTrue(count(endings, op -> isAt(op, ReservedBarriers.FINISH.name())) > SEEDS / 2);
        assertTrue(count(endings, op -> op instanceof Op.Ship) > SEEDS);
    }

    private static boolean isAllocation(Op op) {
        return op instanceof Op.Await await && ReservedBarriers.isAllocation(await.barrier());
    }

    private static boolean isAt(Op op, String barrier) {
        return op instanceof Op.Await await && await.barrier().name().equals(barrier);
    }

    @Test
    void impatience_hasEveryWaitWithALimitOf0() {
        LongFunction<Program> programs = seed -> Impatience.of(seed, NODES, HOLD_NANOS);

        assertTrue(
                count(programs, op -> op instanceof Op.Acquire(_, long nanos) && nanos == 0) > 0);
        assertTrue(
                count(programs, op -> op instanceof Op.Receive(_, _, long nanos) && nanos == 0)
                        > 0);
        assertTrue(
                count(programs, op -> op instanceof Op.Await(_, _, long nanos, _) && nanos == 0)
                        > 0);
        assertTrue(
                count(
                                programs,
                                op ->
                                        op instanceof Op.AwaitCondition wait
                                                && wait.timeoutNanos() == 0)
                        > 0);
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
        return SeededRun.ofLimits(seed, SeededRun.Options.ALL).run(List.of()).traceHash();
    }

    @Test
    void everyRace_isReported() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Racing.run(seed, Checkers.all());
        }
    }

    private static long count(LongFunction<Program> programs, Predicate<Op> wanted) {
        long count = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            assertEquals(programs.apply(seed), programs.apply(seed));
            count +=
                    programs.apply(seed).scripts().stream()
                            .flatMap(List::stream)
                            .filter(step -> wanted.test(step.op()))
                            .count();
        }
        return count;
    }
}
