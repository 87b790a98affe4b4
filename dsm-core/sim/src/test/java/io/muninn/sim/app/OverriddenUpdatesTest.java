package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Updates that a program expects to be atomic between nodes, in runs that override protocols. */
class OverriddenUpdatesTest {
    private static final int ROUNDS = 20;

    /** All threads add to one element without a lock. */
    private abstract static class Adding implements DsmProgram {
        private LongArray sum;

        abstract LongArray sum(DsmNode node);

        @Override
        public void run(DsmNode node) {
            sum = sum(node);
            for (int round = 0; round < ROUNDS; round++) {
                sum.getAndAdd(0, 1);
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            return Verdict.right(Long.toString(sum.get(0)));
        }
    }

    private static final class Declares extends Adding {
        @Shared private final LongArray declared = LongArray.of(1);

        @Override
        LongArray sum(DsmNode node) {
            return declared;
        }
    }

    private static final class DeclaresLazy extends Adding {
        @Shared(Protocol.LAZY)
        private final LongArray declared = LongArray.of(1);

        @Override
        LongArray sum(DsmNode node) {
            return declared;
        }
    }

    private static final class Allocates extends Adding {
        @Override
        LongArray sum(DsmNode node) {
            return node.allocate("allocated", LongArray.of(1), Protocol.MIGRATORY);
        }
    }

    private static final class Compares implements DsmProgram {
        @Shared(packed = true)
        private final IntArray word = IntArray.of(1);

        @Override
        public void run(DsmNode node) {
            word.compareAndSet(0, node.id(), node.id() + 1);
        }
    }

    private static AppResult run(Supplier<DsmProgram> program, int nodes, Protocol override) {
        return AppRun.of(program, nodes).protocol(override).run();
    }

    private static void assertRefused(AppResult result, String text) {
        String failure = result.failure().orElseThrow().text();
        assertTrue(failure.contains(text), failure);
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE_SHARED", "HOME_BASED", "LAZY", "HYBRID"})
    void updateUnderAProtocolThatMergesStores_isRefused(Protocol override) {
        String overridden = " and this run overrides that by " + override + ", which merges stores";
        assertRefused(
                run(Declares::new, 3, override),
                "variable declared is declared CONVENTIONAL,"
                        + overridden
                        + ": getAndAdd would not be atomic between nodes. Override it by one of"
                        + " [CONVENTIONAL, MIGRATORY, PIPELINED], or not at all");
        assertRefused(
                run(Allocates::new, 2, override),
                "variable allocated is declared MIGRATORY," + overridden);
        assertRefused(
                run(Compares::new, 2, override),
                "variable word is declared CONVENTIONAL," + overridden + ": compareAndSet ");
    }

    @ParameterizedTest
    @EnumSource(names = {"CONVENTIONAL", "MIGRATORY", "PIPELINED"})
    void updateUnderAProtocolOfOneWriter_isAtomic(Protocol override) {
        for (Supplier<DsmProgram> program :
                List.<Supplier<DsmProgram>>of(Declares::new, Allocates::new)) {
            AppResult result = run(program, 3, override);

            assertTrue(result.isGood(), result::toString);
            assertEquals(Integer.toString(3 * ROUNDS), result.verdict().detail());
        }
    }

    @Test
    void updateThatTheProgramDidNotExpectToBeAtomic_isNotRefused() {
        assertTrue(run(DeclaresLazy::new, 2, Protocol.HYBRID).isGood());
    }

    @Test
    void updateOnOneNode_isAtomicUnderEveryProtocol() {
        AppResult result = AppRun.of(Declares::new, 1).threads(3).protocol(Protocol.LAZY).run();

        assertTrue(result.isGood(), result::toString);
        assertEquals(Integer.toString(3 * ROUNDS), result.verdict().detail());
    }
}
