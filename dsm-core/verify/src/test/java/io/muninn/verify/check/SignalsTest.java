package io.muninn.verify.check;

import static io.muninn.api.Protocol.WRITE_SHARED;
import static io.muninn.verify.check.Runs.LOCK;
import static io.muninn.verify.check.Runs.PAGE;
import static io.muninn.verify.check.Runs.assertSays;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.model.ConditionId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.spi.Effect;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage;
import io.muninn.wire.WireMessage;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The checker of signals: each kind of violation, and correct steps. */
class SignalsTest {
    private static final ConditionId CONDITION = new ConditionId(LOCK, "full");
    private static final Event OTHER = new Event.ReleaseNoticed();
    private static final Outcome TIMED_OUT = new Outcome.TimedOut("late");

    private final Arena arena = Arena.ofConfined();
    private final Signals checker = new Signals();
    private final Simulation still =
            Runs.still(arena, Runs.region(WRITE_SHARED, 8), 1, List.of(checker));
    private final SimNode root = still.nodes().getFirst();
    private final SimNode other = still.nodes().get(1);
    private final WaiterId waiter = other.threads().getFirst().id();

    @AfterEach
    void close() {
        arena.close();
    }

    private void step(SimNode node, Event event, Effect... effects) {
        checker.beforeStep(node, event);
        checker.afterStep(node, event, List.of(effects));
    }

    private Effect answer(Outcome outcome) {
        return new Effect.ResumeWaiter(waiter, outcome);
    }

    private static Effect send(SimNode to, WireMessage message) {
        return new Effect.Send(to.id(), message);
    }

    private static Event arrived(WireMessage message) {
        return new Event.MessageArrived(NodeId.of(1), message, 0);
    }

    private static final Effects IGNORED =
            new Effects() {
                @Override
                public void cameUnasked(PageId page) {}

                @Override
                public void add(Effect effect) {}

                @Override
                public void count(NodeCounter counter, long amount) {}

                @Override
                public void endInterval() {}

                @Override
                public MappingId mapping() {
                    return MappingId.FIRST;
                }

                @Override
                public void releasePerformed(GatedRelease leaving) {}

                @Override
                public void acquirePerformed(GatedAcquire acquire) {}

                @Override
                public void collectPerformed(long number) {}
            };

    private void enqueue() {
        root.view()
                .conditionManager()
                .onConditionWait(other.id(), new SyncMessage.ConditionWait(CONDITION, 0), IGNORED);
    }

    private void callSignal() {
        step(other, OTHER, new Effect.MakeTwin(PAGE));
        step(other, new Event.SignalCalled(waiter, CONDITION, false));
    }

    private void sendSignal() {
        step(other, OTHER, send(root, new SyncMessage.ConditionSignal(CONDITION, 0, false)));
    }

    @Test
    void signalBeforeTheFlush_isFound() {
        callSignal();

        assertSays(assertThrows(Violation.class, this::sendSignal), "signals before a flush of");
    }

    @Test
    void signalAfterTheFlush_isSilent() {
        callSignal();
        step(other, OTHER, new Effect.SaveDiff(PAGE, 1, false));
        step(other, OTHER, new Effect.MakeTwin(PAGE)); // by another thread

        assertDoesNotThrow(this::sendSignal);
    }

    @Test
    void signalOfTheRootThatIsAnsweredBeforeTheFlush_isFound() {
        step(root, OTHER, new Effect.MakeTwin(PAGE));
        step(root, new Event.SignalCalled(waiter, CONDITION, false));

        assertThrows(Violation.class, () -> step(root, OTHER, answer(Outcome.DONE)));
    }

    @Test
    void lockThatIsGivenUpOutsideTheQueue_isFound() {
        Event call = new Event.WaitCalled(waiter, CONDITION);

        Violation found =
                assertThrows(Violation.class, () -> step(other, call, answer(Outcome.DONE)));

        assertSays(found, "is not in its queue");
    }

    @Test
    void lockThatIsGivenUpInTheQueue_isSilent() {
        enqueue();

        step(other, new Event.WaitCalled(waiter, CONDITION), answer(Outcome.DONE));
    }

    private void awaitSignal(Outcome outcome) {
        step(other, new Event.SignalAwaited(waiter, CONDITION, -1), answer(outcome));
    }

    @Test
    void signalThatIsLostWithItsWaiter_isFound() {
        step(root, OTHER, send(other, new SyncMessage.ConditionWake(CONDITION, 0)));

        Violation found = assertThrows(Violation.class, () -> awaitSignal(TIMED_OUT));

        assertSays(found, "was chosen by a signal");
    }

    @Test
    void waitThatEndsWithoutASignalAsSignalled_isFound() {
        assertDoesNotThrow(() -> awaitSignal(TIMED_OUT));

        Violation found = assertThrows(Violation.class, () -> awaitSignal(Outcome.DONE));

        assertSays(found, "was chosen by no signal");
    }

    @Test
    void signalForAllThatLeavesSomebody_isFound() {
        enqueue();
        Event one = arrived(new SyncMessage.ConditionSignal(CONDITION, 0, false));
        Event all = arrived(new SyncMessage.ConditionSignal(CONDITION, 0, true));

        assertDoesNotThrow(() -> step(root, one));
        assertSays(assertThrows(Violation.class, () -> step(root, all)), "leaves somebody");
    }
}
