package io.muninn.nativefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An agent that is silent, as its application sees it. Most of it only waits, so by default each
 * case has one of the engines.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
class SilenceTest {
    @ParameterizedTest
    @CsvSource({"UFFD_EVENT, false", "UFFD_SIGNAL, true"})
    void agentStopped_endsTheApplicationAfterItsSilence(EngineKind kind, boolean blocked) {
        try (Watched watched = Watched.startJvm(kind)) {
            if (blocked) {
                watched.block();
            }

            watched.agent().stop();

            assertTrue(watched.millisToTheEnd() > Watched.LOSS_MILLIS / 2);
            assertEquals(
                    "muninn: node 7: its agent is gone (nothing heard for 1500 ms);"
                            + " ending the application\n",
                    watched.application().errors());
        }
    }

    /** As on a machine with many ready processes, where a batch of events takes seconds. */
    @ParameterizedTest
    @EnumSource(names = "UFFD_SIGNAL")
    void agentThatComputesForTwoLimits_isNotGone(EngineKind kind) {
        try (Watched watched = Watched.startJvm(kind)) {
            watched.application().say("a get " + AgentMain.COMPUTING_OFFSET);
            assertEquals("fault " + AgentMain.COMPUTING_OFFSET, watched.agent().line());

            assertEquals("computed", watched.agent().line());

            assertTrue(watched.application().isAlive(), () -> watched.application().errors());
            watched.agent().stop();
            watched.millisToTheEnd();
        }
    }

    /** While nodes join, a longer silence is permitted than later. */
    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = "MPROTECT_SIGNAL")
    void agentStoppedAfterLessSilenceWasAllowed_endsTheApplicationAfterThat(EngineKind kind) {
        try (Watched watched = Watched.startJvm(kind)) {
            watched.application().say("a silence 500");
            assertEquals("a allowed", watched.application().line());

            watched.agent().stop();

            assertEquals(3, watched.application().end(Watched.LOSS_MILLIS + Watched.SLACK_MILLIS));
            assertEquals(
                    "muninn: node 7: its agent is gone (nothing heard for 500 ms);"
                            + " ending the application\n",
                    watched.application().errors());
        }
    }

    /** As by Ctrl-Z and fg, docker pause, or a suspended laptop. */
    @ParameterizedTest
    @EnumSource(names = "UFFD_EVENT")
    void agentStoppedTogetherWithItsApplication_isNotGone(EngineKind kind) {
        assertIsNotGone(kind, false);
    }

    private static void assertIsNotGone(EngineKind kind, boolean agentFirst) {
        try (Watched watched = Watched.startJvm(kind)) {
            watched.block();
            List<Child> all = List.of(watched.application(), watched.agent());
            all.forEach(Child::stop);
            Descriptors.await((int) (2 * Watched.LOSS_MILLIS));

            (agentFirst ? all.reversed() : all)
                    .forEach(process -> {
                        process.resume();
                        Descriptors.await((int) (Watched.LOSS_MILLIS / 3));
                    });

            watched.application().say("a silence " + Watched.LOSS_MILLIS);
            assertEquals("a allowed", watched.application().line());
            watched.agent().kill();
            assertTrue(watched.millisToTheEnd() < Watched.LOSS_MILLIS);
            assertEquals(
                    "muninn: node 7: its agent is gone (its socket closed);"
                            + " ending the application\n",
                    watched.application().errors());
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = "UFFD_SIGNAL")
    void agentThatPings_keepsItsApplicationBeyondTheLimit(EngineKind kind) {
        try (Watched watched = Watched.startJvm(kind)) {
            long start = System.nanoTime();
            watched.block();

            while (System.nanoTime() - start
                    < TimeUnit.MILLISECONDS.toNanos(2 * Watched.LOSS_MILLIS)) {
                assertTrue(watched.application().isAlive());
                Descriptors.await(100);
            }

            watched.application().kill();
            assertEquals("application gone", watched.agent().line());
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @EnumSource(names = "UFFD_EVENT")
    void bye_releasesTheApplicationFromItsWatch(EngineKind kind) {
        try (Pair pair = Pair.start(kind, 16L * Pair.PAGE, Watched.LOSS_MILLIS)) {
            pair.engine.first().bye();
            pair.engine.close();
            long start = System.nanoTime();
            while (System.nanoTime() - start
                    < TimeUnit.MILLISECONDS.toNanos(2 * Watched.LOSS_MILLIS)) {
                assertTrue(pair.application.isAlive());
                Descriptors.await(100);
            }

            pair.application.say("exit 0");

            assertEquals(0, pair.application.end(5000));
            assertEquals("", pair.application.errors());
        }
    }

    @Tag("slow")
    @Timeout(300)
    @ParameterizedTest
    @EnumSource
    void everyEngine_knowsAStopFromASuspension(EngineKind kind) {
        agentStopped_endsTheApplicationAfterItsSilence(kind, false);
        agentStopped_endsTheApplicationAfterItsSilence(kind, true);
        agentStoppedAfterLessSilenceWasAllowed_endsTheApplicationAfterThat(kind);
        assertIsNotGone(kind, false);
        assertIsNotGone(kind, true);
        agentThatPings_keepsItsApplicationBeyondTheLimit(kind);
        bye_releasesTheApplicationFromItsWatch(kind);
    }
}
