package io.muninn.verify.check;

import static io.muninn.api.Protocol.CONVENTIONAL;
import static io.muninn.verify.check.Runs.END;
import static io.muninn.verify.check.Runs.LOCK;
import static io.muninn.verify.check.Runs.assertFires;
import static io.muninn.verify.check.Runs.assertSays;
import static io.muninn.verify.check.Runs.deafTo;
import static io.muninn.verify.check.Runs.next;
import static io.muninn.verify.check.Runs.once;
import static io.muninn.verify.check.Runs.region;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.sim.LockWord;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.sync.SyncMessage;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checkers of lock tokens and of barriers. */
class SyncCheckersTest {
    private static final int PARTIES = 2;

    private final Arena arena = Arena.ofConfined();
    private final BarrierFalls barriers = new BarrierFalls();
    private final Simulation still = Runs.still(arena, region(CONVENTIONAL, 8), 1, List.of());

    @AfterEach
    void close() {
        arena.close();
    }

    private SimThread thread(int node) {
        return still.nodes().get(node).threads().getFirst();
    }

    @Test
    void rightRuns_areSilent() {
        Runs.run(CONVENTIONAL, List.of(new Tokens(), new BarrierFalls()));
    }

    // tokens

    @Test
    void tokenThatIsNowhere_isFound() {
        Violation found =
                assertFires(
                        Tokens.NAME,
                        CONVENTIONAL,
                        List.of(deafTo(SyncMessage.LockGrant.class, new Tokens())));

        assertSays(found, "has 0 tokens");
    }

    @Test
    void tokenInTwoPlaces_isFound() {
        Tokens tokens = new Tokens();
        Observer twice =
                new Observer() {
                    @Override
                    public void afterStep(SimNode node, Event event, List<Effect> effects) {
                        tokens.afterStep(node, event, effects);
                        tokens.afterStep(node, event, effects);
                    }
                };

        Violation found = assertFires(Tokens.NAME, CONVENTIONAL, List.of(twice));

        assertSays(found, "has 2 tokens");
    }

    @Test
    void lentWordOnANodeWithoutTheToken_isFound() {
        Violation found =
                assertFires(
                        Tokens.NAME,
                        CONVENTIONAL,
                        List.of(
                                once(
                                        (node, _, _) -> node.lockWord(LOCK) == LockWord.HELD,
                                        node -> next(node).locks().lend(LOCK, false, false)),
                                new Tokens()));

        assertSays(found, "its word says FREE, but it is A"); // way or sked
    }

    @Test
    void lockOfTwoHolders_isFound() {
        Tokens tokens = new Tokens();
        thread(0).node().locks().lend(LOCK, true, false);
        thread(1).node().locks().lend(LOCK, true, false);
        tokens.onAcquired(thread(0), LOCK);

        assertThrows(Violation.class, () -> tokens.onAcquired(thread(1), LOCK));
    }

    @Test
    void releaseByAnotherThanTheHolder_isFound() {
        Tokens tokens = new Tokens();
        thread(0).node().locks().lend(LOCK, true, false);
        tokens.onAcquired(thread(0), LOCK);

        assertThrows(Violation.class, () -> tokens.onRelease(thread(1), LOCK));
    }

    @Test
    void lockThatIsHeldWithoutItsWord_isFound() {
        Tokens tokens = new Tokens();

        assertThrows(Violation.class, () -> tokens.onAcquired(thread(0), LOCK));
    }

    // barriers

    @Test
    void departureBeforeAllHaveArrived_isFound() {
        barriers.onArrive(thread(0), END, PARTIES);

        Violation found = assertThrows(Violation.class, () -> barriers.onDepart(thread(0), END));

        assertSays(found, "at which 1 threads wait, of 2 parties");
    }

    @Test
    void secondDepartureOfOneThread_isFound() {
        barriers.onArrive(thread(0), END, PARTIES);
        barriers.onArrive(thread(1), END, PARTIES);
        barriers.onDepart(thread(0), END);
        barriers.onArrive(thread(0), END, PARTIES); // before the other has departed

        assertThrows(Violation.class, () -> barriers.onDepart(thread(0), END));
    }

    @Test
    void generationsInTurn_areSilent() {
        barriers.onArrive(thread(0), END, PARTIES);
        barriers.onArrive(thread(1), END, PARTIES);
        barriers.onDepart(thread(0), END);
        barriers.onArrive(thread(0), END, PARTIES);
        barriers.onDepart(thread(1), END);
        barriers.onArrive(thread(1), END, PARTIES);
        barriers.onDepart(thread(1), END);
        barriers.onDepart(thread(0), END);

        assertDoesNotThrow(() -> barriers.onEnd(still));
    }

    @Test
    void moreThreadsThanParties_mayDepartInAnyPairs() {
        barriers.onArrive(thread(0), END, PARTIES);
        barriers.onArrive(thread(1), END, PARTIES);
        barriers.onArrive(thread(2), END, PARTIES);
        barriers.onDepart(thread(2), END);
        barriers.onDepart(thread(0), END);

        assertThrows(Violation.class, () -> barriers.onDepart(thread(1), END));
    }

    @Test
    void waitThatEndsThoughTheBarrierFellForOthers_isFound() {
        barriers.onArrive(thread(0), END, PARTIES);
        barriers.onArrive(thread(1), END, PARTIES);
        barriers.onDepart(thread(0), END);

        assertThrows(Violation.class, () -> barriers.onBarrierLeft(thread(1), END));
    }

    @Test
    void waitThatEndsBeforeTheFall_isSilent() {
        barriers.onArrive(thread(0), END, PARTIES);

        assertDoesNotThrow(() -> barriers.onBarrierLeft(thread(0), END));
    }

    @Test
    void departureThatNeverComes_isFoundAtTheEnd() {
        barriers.onArrive(thread(0), END, PARTIES);
        barriers.onArrive(thread(1), END, PARTIES);
        barriers.onDepart(thread(0), END);

        assertThrows(Violation.class, () -> barriers.onEnd(still));
    }
}
