package io.muninn.sync;

import io.muninn.api.remote.WordCondition;
import io.muninn.model.NodeId;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.sync.RemoteMessage.RemoteReply;
import io.muninn.sync.RemoteMessage.RemoteRequest;
import io.muninn.sync.RemoteMessage.RemoteWait;
import io.muninn.sync.RemoteMessage.RemoteWaitCancel;
import io.muninn.sync.RemoteMessage.RemoteWaitOver;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The words of which this node is the home: performs the operations of other nodes, once each, in
 * the order of their arrival from each node, and holds their waits.
 *
 * <p>A wait is tested when it arrives and after each operation that this node performs. Processes
 * that share the memory change words without a call, so the waits are also tested after a delay
 * that grows from {@link #FIRST_CHECK_NANOS} to {@link #LAST_CHECK_NANOS} as long as no wait ends
 * or arrives. No message is sent for that.
 *
 * <pre>
 *       RemoteWait    ConditionTested          RemoteWaitCancel      performed, check due
 * None  test, →Held   ignore (1)               ignore (1)            -
 * Held  impossible    holds: answer, →None     answer (2), →None     test
 *
 * (1) it was answered before: by an earlier test, or while the cancellation was under way
 * (2) that it does not hold
 * </pre>
 */
public final class RemoteHome {
    /** Delay before the first test of words that processes may have changed. */
    static final long FIRST_CHECK_NANOS = 50_000;

    /** Longest delay between two such tests. */
    static final long LAST_CHECK_NANOS = 1_000_000;

    private record WaitId(NodeId from, long number) {}

    private final Map<WaitId, WordCondition> held = new LinkedHashMap<>(); // the oldest first
    private long delayNanos = FIRST_CHECK_NANOS;
    private boolean isArmed;

    /** The state of another node's wait in the table. */
    public String stateOf(NodeId from, long number) {
        return held.containsKey(new WaitId(from, number)) ? "Held" : "None";
    }

    /** The conditions of the waits that are held. */
    public Stream<WordCondition> conditions() {
        return held.values().stream();
    }

    /** The number of waits that are held. */
    public int held() {
        return held.size();
    }

    public void onRemoteRequest(NodeId from, RemoteRequest request, Effects out) {
        out.performRemote(from, request.number(), request.operations());
    }

    /** Replies, because the operations of a request are performed. */
    public void onRemotePerformed(Event.RemotePerformed performed, Effects out) {
        out.send(performed.from(), new RemoteReply(performed.number(), performed.answer()));
        testAll(out);
    }

    private void testAll(Effects out) {
        held.forEach((wait, condition) -> out.testRemote(wait.from(), wait.number(), condition));
    }

    public void onRemoteWait(NodeId from, RemoteWait wait, Effects out) {
        if (held.put(new WaitId(from, wait.number()), wait.condition()) != null) {
            throw new ProtocolViolation(
                    "remote wait=" + wait.number() + " state=Held event=" + wait);
        }
        out.testRemote(from, wait.number(), wait.condition());
        delayNanos = FIRST_CHECK_NANOS;
        arm(out);
    }

    private void arm(Effects out) {
        if (!isArmed) {
            isArmed = true;
            out.armTimer(new TimerId.RemoteCheck(), delayNanos);
        }
    }

    public void onConditionTested(Event.ConditionTested tested, Effects out) {
        WaitId wait = new WaitId(tested.from(), tested.number());
        if (tested.holds() && held.containsKey(wait)) {
            end(wait, true, out);
        }
    }

    private void end(WaitId wait, boolean holds, Effects out) {
        held.remove(wait);
        delayNanos = FIRST_CHECK_NANOS;
        if (held.isEmpty() && isArmed) {
            isArmed = false;
            out.cancelTimer(new TimerId.RemoteCheck());
        }
        out.send(wait.from(), new RemoteWaitOver(wait.number(), holds));
    }

    public void onRemoteWaitCancel(NodeId from, RemoteWaitCancel cancel, Effects out) {
        WaitId wait = new WaitId(from, cancel.number());
        if (held.containsKey(wait)) {
            end(wait, false, out);
        }
    }

    /** Tests all waits again. */
    public void onCheck(Effects out) {
        isArmed = false;
        if (!held.isEmpty()) {
            delayNanos = Math.min(2 * delayNanos, LAST_CHECK_NANOS);
            arm(out);
            testAll(out);
        }
    }
}
