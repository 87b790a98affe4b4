package io.muninn.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs the tests of {@link Samples}, which pass or fail. */
@Timeout(120)
class TemplatesTest {
    private static final Pattern SEED =
            Pattern.compile("seed (\\d+): .*-Dmuninn\\.seed=\\1", Pattern.DOTALL);

    /** Counts threads; as its option says, wrongly. */
    static final class Census implements DsmProgram {
        @Shared(Protocol.MIGRATORY)
        private final LongArray count = LongArray.of(1);

        @Shared(Protocol.WRITE_SHARED)
        private final LongArray last = LongArray.of(1);

        private final List<String> how;

        Census(List<String> how) {
            this.how = how;
        }

        @Override
        public void run(DsmNode node) {
            if (how.contains("unlocked")) {
                count.set(0, count.get(0) + 1);
                return;
            }
            if (how.contains("racing")) {
                last.set(0, node.id());
            }
            if (how.contains("deadlock") && node.id() == 1) {
                node.lock("never released").lock();
            }
            if (how.contains("throw") && node.id() == 1) {
                throw new IllegalStateException("no luck");
            }
            if (how.contains("deadlock")) {
                node.barrier("all").await();
                node.lock("never released").lock();
            }
            node.lock("count").lock();
            try {
                count.set(0, count.get(0) + 1);
            } finally {
                node.lock("count").unlock();
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            long all = (long) root.nodes() * root.threads();
            String text = count.get(0) + " of " + all;
            return count.get(0) == all ? Verdict.right(text) : Verdict.wrong(text);
        }
    }

    /** Not run by themselves. */
    static final class Samples {
        @Cluster(nodes = 2)
        @Simulated(nodes = 3, threads = 2, seeds = 100)
        void right(TestCluster cluster) {
            assertTrue(cluster.run(Census.class).right());
        }

        @Simulated(seeds = 200)
        void unlocked(TestCluster cluster) {
            cluster.run(Census.class, "unlocked");
        }

        @Simulated
        void deadlock(TestCluster cluster) {
            cluster.run(Census.class, "deadlock");
        }

        @Simulated
        void throwing(TestCluster cluster) {
            cluster.run(Census.class, "throw");
        }

        @Simulated(checkRaces = true)
        void racing(TestCluster cluster) {
            cluster.run(Census.class, "racing");
        }

        @Simulated
        void nothing(TestCluster cluster) {
            assertTrue(cluster != null);
        }

        @Cluster(
                nodes = 2,
                options = {"--threads", "2"})
        void throwingLive(TestCluster cluster) {
            cluster.run(Census.class, "throw");
        }
    }

    private static EngineExecutionResults results(String sample) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectMethod(Samples.class, sample, TestCluster.class.getName()))
                .execute();
    }

    private static String failure(String sample) {
        return thrown(sample).getMessage();
    }

    /** The failure of a sample's only invocation. */
    private static Throwable thrown(String sample) {
        List<Event> failed = results(sample).testEvents().failed().list();
        assertEquals(1, failed.size());
        return failed.getFirst()
                .getPayload(TestExecutionResult.class)
                .flatMap(TestExecutionResult::getThrowable)
                .orElseThrow();
    }

    @Test
    void testWithBothAnnotations_runsOnProcessesAndSimulated() {
        EngineExecutionResults results = results("right");

        results.testEvents().assertStatistics(all -> all.started(2).succeeded(2));
        List<String> names =
                results.testEvents().started().stream()
                        .map(event -> event.getTestDescriptor().getDisplayName())
                        .sorted()
                        .toList();
        assertEquals(List.of("2 nodes", "3 simulated nodes, 100 seeds"), names);
    }

    @Test
    void lostUpdate_isFoundByASeedThatFailsAgain() {
        String message = failure("unlocked");
        Matcher seed = SEED.matcher(message);
        assertTrue(seed.find(), message);
        assertTrue(message.contains("wrong result: "), message);
        assertTrue(message.contains("-Dtest='" + Samples.class.getName() + "#unlocked'"), message);

        System.setProperty(Simulated.SEED_PROPERTY, seed.group(1));
        try {
            assertEquals(message, failure("unlocked"));
        } finally {
            System.clearProperty(Simulated.SEED_PROPERTY);
        }
    }

    @Test
    void deadlock_isReportedInTheWordsOfTheSimulator() {
        String message = failure("deadlock");

        assertTrue(message.contains("no thread of the program can go on"), message);
        assertTrue(message.contains("waits for lock 'never released'"), message);
        assertTrue(SEED.matcher(message).find(), message);
    }

    @Test
    void exceptionOfTheProgram_isTheCause() {
        assertEquals("no luck", thrown("throwing").getCause().getMessage());
        assertTrue(failure("throwing").contains("node 1: its program failed"));
    }

    @Test
    void race_isReportedIfAskedFor() {
        String message = failure("racing");

        assertTrue(message.contains("race: last[0] is stored to by two nodes"), message);
    }

    @Test
    void testThatRunsNothing_fails() {
        String message = failure("nothing");

        assertTrue(message.contains("the test has run no program"), message);
    }

    @Test
    void seedThatIsNoNumber_isNamed() {
        System.setProperty(Simulated.SEED_PROPERTY, "0x11");
        try {
            List<Event> failed = results("racing").allEvents().failed().list();
            assertEquals(1, failed.size());
            String text = failed.getFirst().toString();
            assertTrue(text.contains("-Dmuninn.seed is a whole number, not '0x11'"), text);
        } finally {
            System.clearProperty(Simulated.SEED_PROPERTY);
        }
    }

    @Tag("slow")
    @Test
    void failureOnProcesses_hasTheirOutput() {
        String message = failure("throwingLive");

        assertTrue(message.contains("node 1: its program failed"), message);
        assertTrue(message.contains("at io.muninn.junit.TemplatesTest$Census.run"), message);
    }
}
