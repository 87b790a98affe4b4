package io.muninn.sync;

import static io.muninn.sync.Acts.send;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Comparison;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.remote.WordKind;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.TimerId;
import io.muninn.sync.RemoteMessage.RemoteReply;
import io.muninn.sync.RemoteMessage.RemoteRequest;
import io.muninn.sync.RemoteMessage.RemoteWait;
import io.muninn.sync.RemoteMessage.RemoteWaitCancel;
import io.muninn.sync.RemoteMessage.RemoteWaitOver;
import org.junit.jupiter.api.Test;

/** The home of words that node 1 requests. */
class RemoteHomeTest {
    private static final NodeId FROM = NodeId.of(1);
    private static final Bytes OPERATIONS = new Bytes(new byte[] {1});
    private static final Bytes ANSWER = new Bytes(new byte[] {2});
    private static final WordCondition CONDITION =
            new WordCondition(WordKind.LONG, 8, Comparison.EQUAL, 5);

    private final Acts acts = new Acts();
    private final RemoteHome home = new RemoteHome();

    private static Effect test(long number) {
        return new Effect.TestRemote(FROM, number, CONDITION);
    }

    private static Effect armed(long nanos) {
        return new Effect.ArmTimer(new TimerId.RemoteCheck(), nanos);
    }

    private static Effect disarmed() {
        return new Effect.CancelTimer(new TimerId.RemoteCheck());
    }

    private void await(long number) {
        home.onRemoteWait(FROM, new RemoteWait(number, CONDITION), acts.out);
    }

    private void tested(long number, boolean holds) {
        home.onConditionTested(new Event.ConditionTested(FROM, number, holds), acts.out);
    }

    private void cancel(long number) {
        home.onRemoteWaitCancel(FROM, new RemoteWaitCancel(number), acts.out);
    }

    @Test
    void request_isPerformedThenAnswered() {
        home.onRemoteRequest(FROM, new RemoteRequest(3, OPERATIONS), acts.out);
        acts.expect(new Effect.PerformRemote(FROM, 3, OPERATIONS));
        home.onRemotePerformed(new Event.RemotePerformed(FROM, 3, ANSWER), acts.out);
        acts.expect(send(1, new RemoteReply(3, ANSWER)));
    }

    @Test
    void wait_isTestedAtOnceAndAfterEachOperation() {
        await(1);
        acts.expect(test(1), armed(RemoteHome.FIRST_CHECK_NANOS));
        tested(1, false);
        acts.expect();
        assertEquals("Held", home.stateOf(FROM, 1));
        home.onRemotePerformed(new Event.RemotePerformed(FROM, 3, ANSWER), acts.out);
        acts.expect(send(1, new RemoteReply(3, ANSWER)), test(1));
        tested(1, true);
        acts.expect(disarmed(), send(1, new RemoteWaitOver(1, true)));
        tested(1, true); // by a second test of the same step
        acts.expect();
        assertEquals("None", home.stateOf(FROM, 1));
    }

    @Test
    void check_isLaterEachTime_upToALimit() {
        await(1);
        tested(1, false);
        acts.quietly();
        long delay = RemoteHome.FIRST_CHECK_NANOS;
        for (int i = 0; i < 10; i++) {
            home.onCheck(acts.out);
            delay = Math.min(2 * delay, RemoteHome.LAST_CHECK_NANOS);
            acts.expect(armed(delay), test(1));
            tested(1, false);
        }
        assertEquals(RemoteHome.LAST_CHECK_NANOS, delay);
        await(2); // the timer runs; the next one is early again
        acts.expect(test(2));
        home.onCheck(acts.out);
        acts.expect(armed(2 * RemoteHome.FIRST_CHECK_NANOS), test(1), test(2));
    }

    /** A process that has changed one word may be about to change another. */
    @Test
    void check_isEarlyAgain_whenAWaitHasEnded() {
        await(1);
        await(2);
        home.onCheck(acts.out);
        home.onCheck(acts.out);
        acts.quietly();
        tested(1, true);
        acts.expect(send(1, new RemoteWaitOver(1, true)));
        home.onCheck(acts.out);
        acts.expect(armed(2 * RemoteHome.FIRST_CHECK_NANOS), test(2));
    }

    @Test
    void cancelledWait_isAnsweredOnce() {
        await(1);
        await(2);
        acts.quietly();
        cancel(1);
        acts.expect(send(1, new RemoteWaitOver(1, false)));
        cancel(1); // it was answered meanwhile
        acts.expect();
        tested(2, true);
        acts.expect(disarmed(), send(1, new RemoteWaitOver(2, true)));
    }

    @Test
    void waitWithANumberInUse_isImpossible() {
        await(1);
        acts.expectViolation(() -> await(1), "remote wait=1");
    }
}
