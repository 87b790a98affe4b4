package io.muninn.protocols;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.node.RecordingEffects;
import io.muninn.protocol.CoherenceProtocol;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Event;
import io.muninn.protocol.Leaving;
import io.muninn.protocol.ProtocolMessage;
import io.muninn.protocol.ProtocolViolation;
import io.muninn.protocol.TimerId;
import io.muninn.wire.Message;
import io.muninn.wire.Payload;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;

/**
 * One protocol of one node, taken from state to state by events: what the tests of table cells have
 * in common.
 *
 * @param <M> the protocol's messages
 */
final class Subject<M extends ProtocolMessage> {
    static final PageId PAGE = new PageId(0, 3);
    static final Payload IMAGE =
            new Payload.Received(MemorySegment.ofArray(new byte[] {1, 2, 3}), false);

    final FakeContext context;
    final CoherenceProtocol<M> protocol;
    private final RecordingEffects out = new RecordingEffects();

    Subject(
            int self,
            Protocol kind,
            Function<FakeContext, ? extends CoherenceProtocol<M>> constructor) {
        context = new FakeContext(self, kind);
        protocol = constructor.apply(context);
        protocol.onRegionAdded(context.region());
    }

    static NodeId node(int index) {
        return NodeId.of(index);
    }

    static Effect send(int to, Message message) {
        return new Effect.Send(node(to), message);
    }

    static Effect count(Counter counter) {
        return new Effect.Count(counter, 1);
    }

    static Effect install(PageAccess access) {
        return new Effect.InstallPage(PAGE, IMAGE, access);
    }

    static Effect access(PageAccess access) {
        return new Effect.SetAccess(PAGE, access);
    }

    static Effect resume(PageAccess access) {
        return new Effect.ResumeFault(PAGE, access);
    }

    static Effect discard() {
        return new Effect.Discard(PAGE);
    }

    static Effect poison() {
        return new Effect.Poison(PAGE);
    }

    static Effect arm(long delayNanos) {
        return new Effect.ArmTimer(new TimerId.HoldOver(PAGE), delayNanos);
    }

    Subject<M> readFault() {
        protocol.onReadFault(PAGE, out);
        return this;
    }

    Subject<M> writeFault() {
        protocol.onWriteFault(PAGE, out);
        return this;
    }

    Subject<M> message(int from, M message) {
        protocol.onMessage(node(from), message, out);
        return this;
    }

    Subject<M> holdOver() {
        protocol.onTimer(new TimerId.HoldOver(PAGE), out);
        return this;
    }

    Subject<M> sealed() {
        protocol.onSealed(out);
        return this;
    }

    Subject<M> release(Leaving leaving) {
        protocol.onRelease(leaving, out);
        return this;
    }

    Subject<M> twinMade() {
        protocol.onTwinMade(PAGE, out);
        return this;
    }

    Subject<M> saved(long interval, int granules) {
        return saved(interval, granules, false);
    }

    /** The page was compared, and stays writable with what was compared as its twin. */
    Subject<M> savedAndKept(long interval, int granules) {
        return saved(interval, granules, true);
    }

    private Subject<M> saved(long interval, int granules, boolean kept) {
        protocol.onDiffSaved(
                new Event.DiffSaved(PAGE, interval, granules, 12 * granules, kept), out);
        return this;
    }

    Subject<M> peerLost(int node) {
        context.endRun();
        protocol.onPeerLost(node(node), out);
        return this;
    }

    Subject<M> passNanos(long nanos) {
        context.passNanos(nanos);
        return this;
    }

    /** Forgets the effects so far: what follows is the act. */
    Subject<M> quietly() {
        out.take();
        out.takePerformed();
        return this;
    }

    /** The effects since the last look are exactly these. */
    Subject<M> expect(Effect... effects) {
        assertEquals(List.of(effects), out.take());
        return this;
    }

    Subject<M> expectPerformed(Leaving... performed) {
        assertEquals(List.of(performed), out.takePerformed());
        return this;
    }

    /** The act is impossible in this state, and says so with page, state and event. */
    void expectViolation(String state, Runnable act, String event) {
        ProtocolViolation violation = assertThrows(ProtocolViolation.class, act::run);
        String text = violation.getMessage();
        assertTrue(text.contains("page=" + PAGE), text);
        assertTrue(text.contains("state=" + state), text);
        assertTrue(text.contains("event=" + event), text);
        assertEquals(List.of(), out.take());
    }
}
