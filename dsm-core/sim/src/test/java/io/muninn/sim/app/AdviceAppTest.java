package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Advice;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.sim.Traffic;
import io.muninn.spi.NodeCounter;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Advice of programs in a simulation: node 1 stores to a page in each step, node 2 loads it. */
@Timeout(30)
class AdviceAppTest {
    private static final int STEPS = 10;

    private static final class Steps implements DsmProgram {
        @Shared(Protocol.HYBRID)
        final LongArray grid = LongArray.of(512);

        private final Consumer<LongArray> advice;

        Steps(Consumer<LongArray> advice) {
            this.advice = advice;
        }

        @Override
        public void initialize(DsmNode root) {
            grid.set(1, 1);
        }

        @Override
        public void run(DsmNode node) throws Exception {
            DsmBarrier step = node.barrier("step");
            grid.get(0); // a node without a copy cannot use a push
            if (node.id() == 1) {
                advice.accept(grid);
            }
            step.await();
            for (int i = 1; i <= STEPS; i++) {
                if (node.id() == 1) {
                    grid.set(1, i);
                }
                step.await();
                if (node.id() == 2) {
                    assertEquals(i, grid.get(1));
                }
                step.await();
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            return Verdict.right("");
        }
    }

    /** The number of requests for diffs in a run. */
    private static long requests(Consumer<LongArray> advice, boolean isPushed) {
        AppResult result = AppRun.of(() -> new Steps(advice), 3).run();
        assertEquals(List.of(), result.failure().stream().toList());
        assertEquals(isPushed, result.total(NodeCounter.PUSHES_SENT) > 0);
        Traffic.Sent sent = result.byKind().get("diff-request");
        return sent == null ? 0 : sent.messages();
    }

    @Test
    void withoutAdvice_nodesAskTwice() {
        assertEquals(2, requests(_ -> {}, true));
    }

    @Test
    void nodesThatReadPagesToBeFlushed_askOnce() {
        assertEquals(1, requests(grid -> grid.readers(0, 512).advise(Advice.FLUSH), true));
    }

    @Test
    void nodesThatReadPagesToBeInvalidated_askInEachStep() {
        assertEquals(
                STEPS, requests(grid -> grid.readers(0, 512).advise(Advice.INVALIDATE), false));
    }

    @Test
    void readersThatAreAdded_doNotAsk() {
        assertEquals(0, requests(grid -> grid.readers(0, 512).add(2), true));
    }

    /** Advice that the protocol of the run does not support has no effect. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "READ_ONLY")
    void adviceUnderAnOverride_isTakenOrIgnored(Protocol override) {
        AppResult result =
                AppRun.of(() -> new Steps(AdviceAppTest::advise), 3).protocol(override).run();

        assertEquals(List.of(), result.failure().stream().toList());
    }

    private static void advise(LongArray grid) {
        grid.readers(0, 512).advise(Advice.FLUSH);
        grid.readers(0, 512).clear();
        grid.readers(0, 512).add(2);
        grid.readers(0, 512).remove(2);
    }

    @Test
    void adviceThatNoOverrideExcuses_endsTheRun() {
        String failure = AppRun.of(DeclaredLazy::new, 2).run().failure().orElseThrow().text();
        assertTrue(failure.contains("variable grid follows LAZY, which pushes nothing"), failure);
    }

    private static final class DeclaredLazy implements DsmProgram {
        @Shared(Protocol.LAZY)
        final LongArray grid = LongArray.of(512);

        @Override
        public void run(DsmNode node) {
            advise(grid);
        }
    }
}
