package io.muninn.verify.check;

import static io.muninn.api.Protocol.CONVENTIONAL;
import static io.muninn.model.MappingId.FIRST;
import static io.muninn.verify.check.Runs.END;
import static io.muninn.verify.check.Runs.LOCK;
import static io.muninn.verify.check.Runs.PAGE;
import static io.muninn.verify.check.Runs.assertFires;
import static io.muninn.verify.check.Runs.assertSays;
import static io.muninn.verify.check.Runs.deafTo;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.Protocol;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.model.ConditionId;
import io.muninn.model.FaultKind;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ThreadMark;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that wait for events that will not occur: their agents ignore a call or a message. */
class ForgottenWaitersTest {
    private static final Event FAULT =
            new Event.FaultRaised(FIRST, PAGE, FaultKind.READ, ThreadMark.UNKNOWN, 0);

    private static final ConditionId CONDITION = new ConditionId(LOCK, "full");

    private final Arena arena = Arena.ofConfined();
    private final ClusterView overview = new ClusterView();
    private final ForgottenWaiters checker = new ForgottenWaiters(overview);
    private Simulation still;

    @BeforeEach
    void begin() {
        List<Observer> observers = List.of(overview, checker);
        still = Runs.still(arena, Runs.region(CONVENTIONAL, 8), 1, observers);
    }

    @AfterEach
    void close() {
        arena.close();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void rightRuns_areSilent(Protocol protocol) {
        ClusterView seen = new ClusterView();

        Runs.run(protocol, List.of(seen, new ForgottenWaiters(seen)));
    }

    private SimThread thread(int node) {
        return still.nodes().get(node).threads().getFirst();
    }

    /** Makes the agent step an event without effects. */
    private void ignore(SimThread thread, Event event) {
        for (Observer observer : List.of(overview, checker)) {
            observer.beforeStep(thread.node(), event);
        }
        for (Observer observer : List.of(overview, checker)) {
            observer.afterStep(thread.node(), event, List.of());
        }
    }

    private void stop(SimThread thread) {
        thread.start(_ -> {});
        thread.mayAccess(PAGE, false);
    }

    @Test
    void threadWhoseFaultWasHeardAndForgotten_isFound() {
        stop(thread(1));

        Violation found = assertThrows(Violation.class, () -> ignore(thread(1), FAULT));

        assertSays(found, "nobody will wake it");
    }

    @Test
    void threadWhoseFaultIsNotHeardYet_isSilent() {
        stop(thread(1));

        assertDoesNotThrow(
                () -> ignore(thread(1), new Event.AccessWithdrawn(FIRST, PAGE, 1, List.of())));
    }

    @Test
    void lockThatWasNotAskedFor_isFound() {
        Event call = new Event.AcquireCalled(thread(1).id(), LOCK, -1);

        Violation found = assertThrows(Violation.class, () -> ignore(thread(1), call));

        assertSays(found, "which is Away there");
    }

    @Test
    void barrierThatKnowsNothingOfAnArrival_isFound() {
        Event call = new Event.BarrierReached(thread(1).id(), END, 0, -1);

        Violation found = assertThrows(Violation.class, () -> ignore(thread(1), call));

        assertSays(found, "which is Unknown there");
    }

    @Test
    void conditionWhoseManagerWasNotAsked_isFound() {
        Event call = new Event.WaitCalled(thread(1).id(), CONDITION);

        Violation found = assertThrows(Violation.class, () -> ignore(thread(1), call));

        assertSays(found, "waits at condition");
        assertSays(found, "and is Running there");
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void requestThatWasNeverSent_isFound(Protocol protocol) {
        ClusterView seen = new ClusterView();

        Violation found =
                assertFires(
                        ForgottenWaiters.NAME,
                        protocol,
                        List.of(deafTo(ProtocolMessage.class, seen, new ForgottenWaiters(seen))));

        assertSays(found, "nothing that would end it is under way");
    }

    @Test
    void invalidationThatWasNeverSent_isFound() {
        ClusterView seen = new ClusterView();

        Violation found =
                assertFires(
                        ForgottenWaiters.NAME,
                        CONVENTIONAL,
                        List.of(
                                deafTo(
                                        Conventional.Invalidate.class,
                                        seen,
                                        new ForgottenWaiters(seen))));

        assertSays(found, "state=AwaitAcks");
    }
}
