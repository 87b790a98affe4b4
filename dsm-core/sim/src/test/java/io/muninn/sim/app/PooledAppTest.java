package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.coherence.weak.WeakMessages;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WeakRules;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs with weak pages over memory that the nodes of each host address. */
@Timeout(30)
class PooledAppTest {
    private static final int NODES = 3;
    private static final int ROUNDS = 20;
    private static final int PAGE_LENGTH = 512;

    /** Nodes add to a sum in sections, and to neighbouring elements between barriers. */
    private static final class Sums implements DsmProgram {
        @Shared(Protocol.WEAK)
        final LongArray values = LongArray.of(2 * PAGE_LENGTH);

        @Override
        public void initialize(DsmNode root) {
            values.set(PAGE_LENGTH, 1_000);
        }

        @Override
        public void run(DsmNode node) throws Exception {
            LongArray later = node.allocate("later", LongArray.of(PAGE_LENGTH), Protocol.WEAK);
            DsmLock lock = node.lock("sum");
            DsmBarrier round = node.barrier("round");
            for (int i = 1; i <= ROUNDS; i++) {
                lock.lock();
                values.set(PAGE_LENGTH, values.get(PAGE_LENGTH) + 1);
                lock.unlock();
                values.set(node.id(), i);
                later.set(node.id(), 2L * i);
                round.await();
                int next = (node.id() + 1) % NODES;
                assertEquals(i, values.get(next));
                assertEquals(2L * i, later.get(next));
                round.await();
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            long sum = values.get(PAGE_LENGTH);
            return sum == 1_000 + NODES * ROUNDS
                    ? Verdict.right("")
                    : Verdict.wrong("the sum is " + sum);
        }
    }

    private static AppResult run(WeakRules rules, int hosts) {
        AppResult result =
                AppRun.of(Sums::new, NODES)
                        .hosts(hosts)
                        .updates(UpdateRules.DEFAULT.withWeak(rules.pooled()))
                        .run();
        assertEquals(Optional.empty(), result.failure());
        assertTrue(result.isGood());
        return result;
    }

    @Test
    void noMessage_isAboutAPageOfAPool() {
        TreeSet<String> sent = new TreeSet<>(run(WeakRules.DEFAULT, 1).byKind().keySet());
        sent.retainAll(
                WeakMessages.CODECS.stream().map(each -> each.name()).collect(Collectors.toSet()));
        assertEquals(List.of(), List.copyOf(sent));
    }

    @ParameterizedTest
    @EnumSource(WeakRules.Transition.class)
    void programs_seeWhatWasReleased(WeakRules.Transition transition) {
        WeakRules rules =
                new WeakRules(
                        transition,
                        WeakRules.Lists.DISTRIBUTED,
                        WeakRules.Notices.TRANSITION,
                        1,
                        1);
        for (int hosts = 1; hosts <= NODES; hosts++) {
            run(rules, hosts);
        }
    }
}
