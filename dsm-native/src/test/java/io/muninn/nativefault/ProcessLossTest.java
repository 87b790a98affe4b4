package io.muninn.nativefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.PageAccess;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of an agent or an application, as the other side sees it. Most tests only wait. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(EngineKind.class)
class ProcessLossTest {
    private static final int PAGE = Pair.PAGE;
    private static final long LOSS_MILLIS = 1500;
    private static final long SLACK_MILLIS = 1500;

    @Parameter private EngineKind kind;

    /** An agent that resolves nothing and an application under its watch, both of them children. */
    private record Watched(ChildJvm agent, ChildJvm application) implements AutoCloseable {
        static Watched start(EngineKind kind) {
            String name = Pair.name();
            ChildJvm agent =
                    ChildJvm.start(
                            AgentMain.class,
                            List.of(),
                            name,
                            HexFormat.of().formatHex(Pair.token()));
            assertEquals("listening", agent.line());
            ChildJvm application =
                    Pair.startApplication(kind, name, Pair.token(), LOSS_MILLIS, 16L * PAGE);
            assertTrue(application.line().startsWith("attached"));
            return new Watched(agent, application);
        }

        /** Two threads stand in faults that nobody will resolve, one of them in a store. */
        void block() {
            application.say("a get 0");
            application.say("b put " + PAGE + " 1");
            assertTrue(agent.line().startsWith("fault"));
            assertTrue(agent.line().startsWith("fault"));
        }

        long millisToTheEnd() {
            long start = System.nanoTime();
            assertEquals(3, application.end(LOSS_MILLIS + SLACK_MILLIS));
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        }

        @Override
        public void close() {
            application.close();
            agent.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void agentKilled_endsTheApplicationAtOnce(boolean blocked) {
        try (Watched watched = Watched.start(kind)) {
            if (blocked) {
                watched.block();
            }

            watched.agent.kill();

            assertTrue(watched.millisToTheEnd() < LOSS_MILLIS);
            assertEquals(
                    "muninn: node 7: its agent is gone (its socket closed);"
                            + " ending the application\n",
                    watched.application.errors());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void agentStopped_endsTheApplicationAfterItsSilence(boolean blocked) {
        try (Watched watched = Watched.start(kind)) {
            if (blocked) {
                watched.block();
            }

            watched.agent.stop();

            assertTrue(watched.millisToTheEnd() > LOSS_MILLIS / 2);
            assertEquals(
                    "muninn: node 7: its agent is gone (nothing heard for 1500 ms);"
                            + " ending the application\n",
                    watched.application.errors());
        }
    }

    /** While nodes join it may be silent for longer than later. */
    @Test
    void agentStoppedAfterLessSilenceWasAllowed_endsTheApplicationAfterThat() {
        try (Watched watched = Watched.start(kind)) {
            watched.application.say("a silence 500");
            assertEquals("a allowed", watched.application.line());

            watched.agent.stop();

            assertEquals(3, watched.application.end(LOSS_MILLIS + SLACK_MILLIS));
            assertEquals(
                    "muninn: node 7: its agent is gone (nothing heard for 500 ms);"
                            + " ending the application\n",
                    watched.application.errors());
        }
    }

    /** As by Ctrl-Z and fg, docker pause, or the lid of a laptop. */
    @Test
    void agentStoppedTogetherWithItsApplication_isNotGone() {
        assertIsNotGone(false);
    }

    @Tag("slow")
    @Test
    void agentThatGoesOnBeforeItsApplication_isNotGone() {
        assertIsNotGone(true);
    }

    private void assertIsNotGone(boolean agentFirst) {
        try (Watched watched = Watched.start(kind)) {
            watched.block();
            List<ChildJvm> all = List.of(watched.application, watched.agent);
            all.forEach(ChildJvm::stop);
            Descriptors.await((int) (2 * LOSS_MILLIS));

            (agentFirst ? all.reversed() : all)
                    .forEach(process -> {
                        process.resume();
                        Descriptors.await((int) (LOSS_MILLIS / 3));
                    });

            watched.application.say("a silence " + LOSS_MILLIS);
            assertEquals("a allowed", watched.application.line());
            watched.agent.kill();
            assertTrue(watched.millisToTheEnd() < LOSS_MILLIS);
            assertEquals(
                    "muninn: node 7: its agent is gone (its socket closed);"
                            + " ending the application\n",
                    watched.application.errors());
        }
    }

    @Test
    void agentThatPings_keepsItsApplicationBeyondTheLimit() {
        try (Watched watched = Watched.start(kind)) {
            long start = System.nanoTime();
            watched.block();

            while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(2 * LOSS_MILLIS)) {
                assertTrue(watched.application.isAlive());
                Descriptors.await(100);
            }

            watched.application.kill();
            assertEquals("application gone", watched.agent.line());
        }
    }

    @Test
    void applicationKilledInAFault_isAnEofForTheAgent() {
        try (Pair pair = Pair.start(kind, 16L * PAGE)) {
            pair.application.say("a get 0");
            pair.fault();

            pair.application.kill();

            pair.serveUntil(pair.commands::gone);
            pair.engine.touch(0, PAGE);
            pair.resolve(0, PageAccess.READ); // too late, and not an error
            pair.engine.drop(PAGE, PAGE);
            pair.engine.ping();
            pair.serve();
        }
    }

    @Test
    void end_endsAnApplicationWhoseThreadsStandInFaults() {
        try (Pair pair = Pair.start(kind, 16L * PAGE)) {
            pair.application.say("a get 0");
            pair.fault();

            pair.engine.end(1, "muninn: variable grid is read-only\n");

            assertEquals(1, pair.application.end(5000));
            assertEquals("muninn: variable grid is read-only\n", pair.application.errors());
        }
    }

    @Test
    void end_cutsALongTextAndKeepsTheStatus() {
        try (Pair pair = Pair.start(kind, 16L * PAGE)) {
            pair.engine.end(2, "x".repeat(5000));

            assertEquals(2, pair.application.end(5000));
            assertEquals("x".repeat(1024), pair.application.errors().strip());
        }
    }

    @Test
    void bye_releasesTheApplicationFromItsWatch() {
        try (Pair pair = Pair.start(kind, 16L * PAGE, LOSS_MILLIS)) {
            pair.engine.bye();
            pair.engine.close();
            long start = System.nanoTime();
            while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(2 * LOSS_MILLIS)) {
                assertTrue(pair.application.isAlive());
                Descriptors.await(100);
            }

            pair.application.say("exit 0");

            assertEquals(0, pair.application.end(5000));
            assertEquals("", pair.application.errors());
        }
    }

    @Test
    void applicationStopped_answersNothingAndLosesNothing() {
        int pages = 2000;
        try (Pair pair = Pair.start(kind, (long) pages * PAGE)) {
            pair.application.stop();
            pair.engine.ping();
            for (int page = 0; page < pages; page++) { // more than a socket holds
                pair.engine.drop((long) page * PAGE, PAGE);
            }
            for (int i = 0; i < 10; i++) {
                pair.serve();
            }
            assertEquals(0, pair.commands.pongs.size());
            assertEquals(0, pair.commands.drops.size());

            pair.application.resume();

            pair.serveUntil(() -> pair.commands.drops.size() == pages);
            assertEquals(List.of(1L), pair.commands.pongs);
            assertEquals(pages, pair.commands.drops.stream().distinct().count());
            assertFalse(pair.commands.gone());
        }
    }

    @Test
    void wrongToken_isRefusedWithItsReasonOnBothSides() {
        String name = Pair.name();
        byte[] token = Pair.token();
        token[31]++;
        try (AgentSocket socket = AgentSocket.listen(name);
                ChildJvm application = Pair.startApplication(kind, name, token, 5000, 16L * PAGE)) {
            String refusal = "";
            while (refusal.isEmpty()) {
                Descriptors.await(100, socket.fd());
                assertTrue(socket.accept(Pair.token()).isEmpty());
                refusal = socket.takeRefusal();
            }

            assertTrue(refusal.contains("wrong token"), refusal);
            assertTrue(application.line().contains("wrong token"));
            assertEquals(1, application.end(5000));
        }
    }
}
