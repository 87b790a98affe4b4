package io.muninn.coherence;

import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.spi.PageAdvice;
import io.muninn.kernel.Counted;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.PoolResult;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.TimerId;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One protocol of one node, taken from state to state by events: the common part of the tests of
 * table cells.
 *
 * @param <M> the protocol's messages
 */
public final class Subject<M extends ProtocolMessage> {
    public static final PageId PAGE = new PageId(0, 3);
    public static final Payload IMAGE =
            new Payload.Received(MemorySegment.ofArray(new byte[] {1, 2, 3}), false);

    public final FakeContext context;
    public final CoherenceProtocol<M> protocol;
    private final ArrayDeque<VectorTimestamp> acquiring = new ArrayDeque<>();
    private final RecordingEffects out = new RecordingEffects();

    public Subject(
            int self,
            Protocol kind,
            Function<FakeContext, ? extends CoherenceProtocol<M>> constructor) {
        this(new FakeContext(self, kind), constructor);
    }

    public Subject(
            FakeContext context,
            Function<FakeContext, ? extends CoherenceProtocol<M>> constructor) {
        this.context = context;
        protocol = constructor.apply(context);
        protocol.onRegionAdded(context.region());
        out.every(context.threads().every());
        out.onEndOfInterval(() -> {
            protocol.onIntervalEnd(out);
            context.clock().endInterval();
        });
    }

    public static NodeId node(int index) {
        return NodeId.of(index);
    }

    public static Effect send(int to, WireMessage message) {
        return new Effect.Send(node(to), message);
    }

    public static Counted count(NodeCounter counter) {
        return new Counted(counter, 1);
    }

    public static Effect install(PageAccess access) {
        return new Effect.InstallPage(FIRST, PAGE, IMAGE, access);
    }

    public static Effect access(PageAccess access) {
        return new Effect.SetAccess(FIRST, PAGE, access);
    }

    public static Effect resume(PageAccess access) {
        return new Effect.ResumeFault(FIRST, PAGE, access);
    }

    public static Effect discard() {
        return new Effect.Discard(PAGE);
    }

    public static Effect poison() {
        return new Effect.Poison(PAGE);
    }

    public static Effect arm(long delayNanos) {
        return new Effect.ArmTimer(new TimerId.HoldOver(PAGE), delayNanos);
    }

    /** From now on, faults and traps are those of a process. */
    public Subject<M> by(int process) {
        out.process(MappingId.of(process));
        return this;
    }

    public Subject<M> readFault() {
        return readFault(PAGE);
    }

    public Subject<M> readFault(PageId page) {
        protocol.onReadFault(page, out);
        return this;
    }

    public Subject<M> writeFault() {
        protocol.onWriteFault(PAGE, out);
        return this;
    }

    /** The program prefetches {@code count} pages from {@link #PAGE}. */
    public Subject<M> prefetch(int count, Mode mode) {
        protocol.onPrefetch(PAGE, count, mode, out);
        return this;
    }

    /** The program gives advice on {@code count} pages from {@link #PAGE}. */
    public Subject<M> advise(int count, PageAdvice advice) {
        protocol.onAdvice(PAGE, count, advice, out);
        return this;
    }

    public Subject<M> message(int from, M message) {
        protocol.onMessage(node(from), message, out);
        return settled();
    }

    /** A lock of the page is passed to another node; expects whether the page is sent, too. */
    public Subject<M> lockPassed(int to, boolean goes) {
        assertEquals(goes, protocol.onLockPassed(PAGE, node(to), out));
        return this;
    }

    public Subject<M> holdOver() {
        protocol.onTimer(new TimerId.HoldOver(PAGE), out);
        return settled();
    }

    public Subject<M> sealed() {
        protocol.onSealed(out);
        return this;
    }

    public Subject<M> release(GatedRelease leaving) {
        protocol.onRelease(leaving, out);
        return this;
    }

    /** A release and the end of its interval, as the kernel does. */
    public Subject<M> leave(GatedRelease leaving) {
        protocol.onRelease(leaving, out);
        out.endInterval();
        return this;
    }

    /** Cargo arrives, and its message is acquired. */
    public Subject<M> acquire(GatedAcquire gate, int from, Bytes cargo, VectorTimestamp until) {
        protocol.onDeposited(node(from), cargo, out);
        context.clock().onDeposited(until);
        acquiring.add(until);
        protocol.onAcquire(gate, until, out);
        if (!context.clock().seen().covers(until)) {
            out.endInterval();
        }
        return settled();
    }

    /** With one protocol only: an acquire that it has performed is performed by all. */
    private Subject<M> settled() {
        for (GatedAcquire gate : out.takeUnsettled()) {
            context.clock()
                    .onAcquirePerformed(acquiring.remove(), gate.processes(context.threads()));
            protocol.onAcquirePerformed(out);
        }
        return this;
    }

    /** Cargo has arrived with a collection up to this timestamp. */
    public Subject<M> collect(long number, int from, Bytes cargo, VectorTimestamp upTo) {
        protocol.onDeposited(node(from), cargo, out);
        context.clock().onDeposited(upTo);
        protocol.onCollect(number, upTo, out);
        out.endInterval();
        return this;
    }

    /** All nodes have performed the collection. */
    public Subject<M> collected(VectorTimestamp upTo) {
        protocol.onCollected(upTo, out);
        return this;
    }

    public Subject<M> expectCollected(Long... numbers) {
        assertEquals(List.of(numbers), out.takeCollected());
        return this;
    }

    /** The access to {@link #PAGE} is withdrawn. */
    public Subject<M> withdrawn() {
        return withdrawn(PAGE);
    }

    public Subject<M> withdrawn(PageId page) {
        return withdrawn(FIRST, page);
    }

    /** The access to {@link #PAGE} is withdrawn from a process, or from all. */
    public Subject<M> withdrawn(MappingId of) {
        return withdrawn(of, PAGE);
    }

    private Subject<M> withdrawn(MappingId of, PageId page) {
        protocol.onAccessWithdrawn(new Event.AccessWithdrawn(of, page, 1, List.of()), out);
        return settled();
    }

    /** The withdrawal is refused: a trap works on the page. */
    public Subject<M> refused() {
        return refused(FIRST);
    }

    public Subject<M> refused(MappingId of) {
        protocol.onAccessWithdrawn(new Event.AccessWithdrawn(of, PAGE, 1, List.of(PAGE)), out);
        return this;
    }

    public Subject<M> expectAcquired(GatedAcquire... acquired) {
        assertEquals(List.of(acquired), out.takeAcquired());
        return this;
    }

    public Subject<M> expectState(String state) {
        assertEquals(state, protocol.snapshot(PAGE).state());
        return this;
    }

    public Subject<M> twinMade() {
        protocol.onTwinMade(PAGE, out);
        return this;
    }

    /** A trap has entered {@link #PAGE}. */
    public Subject<M> entered(boolean isChecked) {
        protocol.onPageEntered(PAGE, isChecked, out);
        return this;
    }

    /** The result of an operation on a pool. */
    public Subject<M> poolDone(PoolResult result) {
        protocol.onPoolDone(result, out);
        return settled();
    }

    public Subject<M> saved(long interval, int granules) {
        return saved(interval, granules, false);
    }

    /** The page was compared, and stays writable with the compared content as its twin. */
    public Subject<M> savedAndKept(long interval, int granules) {
        return saved(interval, granules, true);
    }

    private Subject<M> saved(long interval, int granules, boolean kept) {
        protocol.onDiffSaved(
                new Event.DiffSaved(PAGE, interval, granules, 12 * granules, kept), out);
        return this;
    }

    public Subject<M> peerLost(int node) {
        context.endRun();
        protocol.onPeerLost(node(node), out);
        return this;
    }

    public Subject<M> passNanos(long nanos) {
        context.passNanos(nanos);
        return this;
    }

    /** Discards the effects so far; the act follows. */
    public Subject<M> quietly() {
        out.take();
        out.takePerformed();
        out.takeAcquired();
        return this;
    }

    /** The effects since the last call are exactly these. */
    public Subject<M> expect(Object... effects) {
        assertEquals(List.of(effects), out.take());
        return this;
    }

    /** The messages since the last call. */
    public List<Effect> takeSent() {
        List<Effect> sent = new ArrayList<>();
        for (Object each : out.take()) {
            if (each instanceof Effect.Send send) {
                sent.add(send);
            }
        }
        return sent;
    }

    public Subject<M> expectPerformed(GatedRelease... performed) {
        assertEquals(List.of(performed), out.takePerformed());
        return this;
    }

    /** The act is impossible in this state; the error names page, state and event. */
    public void expectViolation(String state, Runnable act, String event) {
        ProtocolViolation violation = assertThrows(ProtocolViolation.class, act::run);
        String text = violation.getMessage();
        assertTrue(text.contains("page=" + PAGE), text);
        assertTrue(text.contains("state=" + state), text);
        assertTrue(text.contains("event=" + event), text);
        assertEquals(List.of(), out.take());
    }
}
