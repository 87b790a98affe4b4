package io.muninn.nativefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.PageAccess;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of an agent or an application, as the other side sees it. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(EngineKind.class)
class ProcessLossTest {
    private static final int PAGE = Pair.PAGE;

    @Parameter private EngineKind kind;

    /** Also an application whose Java threads cannot run. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void agentKilled_endsTheApplicationAtOnce(boolean blocked) {
        try (Watched watched = blocked ? Watched.startJvm(kind) : Watched.start(kind)) {
            if (blocked) {
                watched.block();
            }

            watched.agent().kill();

            assertTrue(watched.millisToTheEnd() < Watched.LOSS_MILLIS);
            assertEquals(
                    "muninn: node 7: its agent is gone (its socket closed);"
                            + " ending the application\n",
                    watched.application().errors());
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
            pair.engine.first().drop(PAGE, PAGE);
            pair.engine.first().ping();
            pair.serve();
        }
    }

    @Test
    void end_endsAnApplicationWhoseThreadsStandInFaults() {
        try (Pair pair = Pair.start(kind, 16L * PAGE)) {
            pair.application.say("a get 0");
            pair.fault();

            pair.engine.first().end(1, "muninn: variable grid is read-only\n");

            assertEquals(1, pair.application.end(5000));
            assertEquals("muninn: variable grid is read-only\n", pair.application.errors());
        }
    }

    @Test
    void end_cutsALongTextAndKeepsTheStatus() {
        try (Pair pair = Pair.start(kind, 16L * PAGE)) {
            pair.engine.first().end(2, "x".repeat(5000));

            assertEquals(2, pair.application.end(5000));
            assertEquals("x".repeat(1024), pair.application.errors().strip());
        }
    }

    @Test
    void applicationStopped_answersNothingAndLosesNothing() {
        int pages = 2000;
        try (Pair pair = Pair.start(kind, (long) pages * PAGE)) {
            pair.application.stop();
            pair.engine.first().ping();
            for (int page = 0; page < pages; page++) { // more than a socket accepts
                pair.engine.first().drop((long) page * PAGE, PAGE);
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
                Child application = Pair.startApplication(kind, name, token, 5000, 16L * PAGE)) {
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
