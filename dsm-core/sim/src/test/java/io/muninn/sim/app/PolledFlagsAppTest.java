package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.sim.processor.ProcessorRules;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.UpdateRules;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs whose threads poll flags of all others by refreshes, between other work.
 * Refreshes of other nodes release, and those of threads of the same node acquire, while a thread
 * was woken for a page and waits for its processor. All programs end within a bound of virtual
 * time.
 */
@Timeout(60)
class PolledFlagsAppTest {
    private static final int SEEDS = 24;
    private static final int PAGE = 1024;
    private static final int PAGES = 8;
    private static final int COUNTER = (PAGES - 1) * PAGE;
    private static final long LIMIT_NANOS = 1_000_000_000;
    private static final ProcessorRules SHARED = new ProcessorRules(1, 30_000, 0, 0);

    private static final ProcessorRules SLOW = new ProcessorRules(1, 100_000, 0, 0);

    private static final UpdateRules SINGLE_WRITERS =
            UpdateRules.DEFAULT.withLazyWriters(LazyWriters.SINGLE);

    /** The protocol of pages and its rules. */
    private record Rules(Protocol protocol, UpdateRules updates, AdaptiveTwinRules twins) {}

    private static Stream<Rules> rules() {
        return Stream.concat(
                Arrays.stream(Protocol.values())
                        .filter(each -> !each.isSealed())
                        .flatMap(each ->
                                Stream.of(AdaptiveTwinRules.DEFAULT, AdaptiveTwinRules.OFF)
                                        .map(twins -> new Rules(each, UpdateRules.DEFAULT, twins))),
                Stream.of(new Rules(Protocol.LAZY, SINGLE_WRITERS, AdaptiveTwinRules.DEFAULT)));
    }

    private static final class Flags implements DsmProgram {
        @Shared private final IntArray flags = IntArray.of(PAGES * PAGE);
        @Shared private final IntArray data = IntArray.of(PAGES * PAGE);

        private final long seed;

        Flags(long seed) {
            this.seed = seed;
        }

        @Override
        public void run(DsmNode node) {
            Random shape = new Random(seed); // equal for all threads
            int rounds = 1 + shape.nextInt(5);
            int stride = shape.nextBoolean() ? PAGE : 1;
            boolean isUntil = shape.nextInt(3) == 0;
            int unit = 1 << shape.nextInt(20);
            int me = node.position();
            Random random = new Random(seed * PAGE + me);
            for (int round = 1; round <= rounds; round++) {
                for (int i = random.nextInt(6); i > 0; i--) {
                    work(node, random, unit);
                }
                flags.setVolatile(me * stride, round);
                for (int other = 0; other < node.nodes() * node.threads(); other++) {
                    if (other != me && random.nextInt(3) > 0) {
                        poll(node, other * stride, round, isUntil ? 0 : random.nextInt(unit));
                    }
                }
            }
        }

        private void work(DsmNode node, Random random, int unit) {
            int word = PAGE * random.nextInt(PAGES - 1) + node.position();
            switch (random.nextInt(5)) {
                case 0 -> node.work(random.nextInt(unit));
                case 1 -> data.set(word, data.get(word) + 1);
                case 2 -> data.getVolatile(word);
                case 3 -> node.refresh();
                default -> {
                    node.lock("counter").lock();
                    data.set(COUNTER, data.get(COUNTER) + 1);
                    node.lock("counter").unlock();
                }
            }
        }

        private void poll(DsmNode node, int flag, int round, long units) {
            if (units == 0) {
                node.refreshUntil(() -> flags.getVolatile(flag) >= round);
                return;
            }
            while (flags.getVolatile(flag) < round) {
                node.work(units);
                node.refresh();
            }
        }
    }

    private static void assertEnds(Rules rules, long seed, int threads, ProcessorRules shared) {
        AppResult result =
                AppRun.of(() -> new Flags(seed), 2)
                        .threads(threads)
                        .processors(shared)
                        .protocol(rules.protocol)
                        .updates(rules.updates)
                        .twins(rules.twins)
                        .limitNanos(LIMIT_NANOS)
                        .run();
        assertTrue(result.isGood(), () -> "seed " + seed + ": " + result);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void threadsThatShareAProcessorAndPoll_end(Rules rules) {
        for (long seed = 0; seed < SEEDS; seed++) {
            assertEnds(rules, seed, 2, SHARED);
        }
    }

    /** Threads wait for their processor for longer than a page is held. */
    @ParameterizedTest
    @EnumSource(names = {"LAZY", "HOME_BASED"})
    void slowSwitches_leaveTheirPagesToWokenThreads(Protocol protocol) {
        Rules rules = new Rules(protocol, UpdateRules.DEFAULT, AdaptiveTwinRules.DEFAULT);
        for (long seed = 0; seed < SEEDS; seed++) {
            assertEnds(rules, seed, 4, SLOW);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void manyThreadsThatPoll_leaveTimeToBeWoken(Rules rules) {
        for (long seed : List.of(1L, 2L, 3L)) {
            assertEnds(rules, seed, 4, ProcessorRules.ONE_EACH);
        }
    }
}
