package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Failures are simulated: the operations that a program needs to fail are known here. */
class ShrinkerTest {
    private static final int TRIES_MAX = 5_000;
    private static final int SEEDS = 20;
    private static final int NODES = 4;

    private int tries;

    @Test
    void whatAFailureNeeds_isLeftAndNothingElse() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Program program = program(seed);
            Op.Store needed = program.initial().getLast();
            Predicate<Program> fails =
                    smaller ->
                            count(smaller, Op.Acquire.class) >= 2
                                    && count(smaller, Op.Load.class) >= 3
                                    && smaller.initial().contains(needed);

            Program shrunk = Shrinker.shrink(program, fails, TRIES_MAX);

            assertTrue(fails.test(shrunk));
            assertEquals(List.of(needed), shrunk.initial());
            assertEquals(3, count(shrunk, Op.Load.class));
            assertEquals(0, count(shrunk, Op.Store.class));
            assertEquals(0, count(shrunk, Op.Await.class));
            assertEquals(2, count(shrunk, Op.Acquire.class), shrunk::toText);
            assertEquals(2, count(shrunk, Op.Release.class));
        }
    }

    /** A barrier is in the scripts of all threads that arrive at it, or in none. */
    @Test
    void whatIsLeft_isStillWellFormed() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Predicate<Program> fails =
                    smaller -> {
                        new SequentialRun(smaller, 1).run();
                        return count(smaller, Op.Await.class) > 0
                                && count(smaller, Op.Store.class) > 1;
                    };

            Program shrunk = Shrinker.shrink(program(seed), fails, TRIES_MAX);

            assertEquals(2, count(shrunk, Op.Store.class));
            assertTrue(count(shrunk, Op.Await.class) <= shrunk.scripts().size());
        }
    }

    @Test
    void triesAreBounded_andTheSameEachTime() {
        Predicate<Program> fails =
                smaller -> {
                    tries++;
                    return smaller.sharedOperations() % 3 != 1;
                };
        Program program = program(1);

        Program once = Shrinker.shrink(program, fails, 50);

        assertTrue(tries <= 50, "tries: " + tries);
        assertTrue(once.sharedOperations() < program.sharedOperations());
        assertEquals(once, Shrinker.shrink(program, fails, 50));
    }

    @Test
    void aProgramThatNeedsEverything_staysAsItIs() {
        Program program = program(2);

        Program shrunk = Shrinker.shrink(program, _ -> false, TRIES_MAX);

        assertEquals(program.toText(), shrunk.toText());
    }

    private static long count(Program program, Class<? extends Op> kind) {
        return program.scripts().stream()
                .flatMap(List::stream)
                .filter(step -> kind.isInstance(step.op()))
                .count();
    }

    private static Program program(int seed) {
        return RandomProgram.of(
                seed * 0x9E3779B97F4A7C15L,
                new RandomProgram.Shape(
                        List.of(
                                Protocol.CONVENTIONAL,
                                Protocol.READ_ONLY,
                                Protocol.MIGRATORY,
                                Protocol.WRITE_SHARED,
                                Protocol.PIPELINED),
                        NODES,
                        1_000));
    }
}
