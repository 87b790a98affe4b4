package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.directory.DatedCopyset;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effect;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.Outcome;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage.LockGrant;
import io.muninn.sync.SyncMessage.LockRequest;
import io.muninn.wire.ByteWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Acquires that one of the protocols performs late, on node 1 of two. */
class DelayedAcquireTest {
    private static final WaiterId FIRST = new WaiterId(MappingId.FIRST, 0);
    private static final WaiterId SECOND = new WaiterId(MappingId.FIRST, 1);
    private static final LockId ONE = new LockId("one");
    private static final LockId OTHER = new LockId("other");
    private static final PageId PAGE = new PageId(0, 0);
    private static final Event.AccessWithdrawn WITHDRAWN =
            new Event.AccessWithdrawn(MappingId.FIRST, PAGE, 1, List.of(PAGE));

    /** Performs the youngest acquire when a thread loads from any page, or access is withdrawn. */
    private static final class Late implements CoherenceProtocol<Conventional.Msg> {
        private final ArrayDeque<GatedAcquire> acquires = new ArrayDeque<>();
        private final Context context;
        private int intervalEnds;
        private VectorTimestamp seenAtRelease = VectorTimestamp.zero(2);

        Late(Context context) {
            this.context = context;
        }

        @Override
        public void onRelease(GatedRelease leaving, Effects out) {
            seenAtRelease = context.clock().seen();
            out.releasePerformed(leaving);
        }

        @Override
        public void onAcquire(GatedAcquire acquire, VectorTimestamp until, Effects out) {
            acquires.push(acquire);
        }

        @Override
        public void onIntervalEnd(Effects out) {
            intervalEnds++;
        }

        @Override
        public void onReadFault(PageId page, Effects out) {
            out.acquirePerformed(acquires.pop());
        }

        @Override
        public void onAccessWithdrawn(Event.AccessWithdrawn withdrawn, Effects out) {
            assertEquals(WITHDRAWN, withdrawn);
            onReadFault(withdrawn.first(), out);
        }

        @Override
        public void onWriteFault(PageId page, Effects out) {
            throw new AssertionError("nobody stores");
        }

        @Override
        public String describe(PageId page) {
            return page.toString();
        }

        @Override
        public PageSnapshot snapshot(PageId page) {
            return new PageSnapshot(page, "Late", NodeId.ROOT, DatedCopyset.EMPTY);
        }

        @Override
        public void onRegionAdded(RegionSpec region) {}

        @Override
        public void onMessage(NodeId from, Conventional.Msg message, Effects out) {
            throw new AssertionError("nobody sends");
        }

        @Override
        public void onPeerLost(NodeId node, Effects out) {}
    }

    private final RecordingEffects out = new RecordingEffects();
    private final List<Late> late = new ArrayList<>(); // the one that the kernel has created
    private final NodeKernel kernel =
            new NodeKernel(
                    new KernelConfig(NodeId.of(1), 2, 2, 100, 100, UpdateRules.PLAIN),
                    Map.of(
                            Protocol.CONVENTIONAL,
                            context -> {
                                late.add(new Late(context));
                                return new ProtocolKind.BoundProtocol<>(
                                        Conventional.Msg.class, late.getFirst());
                            }));

    DelayedAcquireTest() {
        long bytes = RegionSpec.MACHINE_PAGE_BYTES;
        step(
                new Event.RegionAdded(
                        new RegionSpec(
                                0,
                                "region",
                                Protocol.CONVENTIONAL,
                                0,
                                bytes,
                                Long.BYTES,
                                1,
                                List.of())));
    }

    /** Steps an event; returns its effects that threads and other nodes see. */
    private List<Effect> step(Event event) {
        kernel.step(event, out);
        return out.take().stream()
                .filter(Effect.class::isInstance)
                .map(Effect.class::cast)
                .filter(effect ->
                        effect instanceof Effect.ResumeWaiter || effect instanceof Effect.Send)
                .toList();
    }

    private void grant(WaiterId waiter, LockId lock) {
        grant(waiter, lock, Cargo.NONE);
    }

    private void grant(WaiterId waiter, LockId lock, Cargo cargo) {
        step(new Event.AcquireCalled(waiter, lock, -1));
        Event grant = new Event.MessageArrived(NodeId.ROOT, new LockGrant(lock, cargo), 5);
        assertEquals(List.of(), step(grant));
        assertEquals("Acquiring", kernel.view().lockState(lock));
    }

    private static Cargo cargo(VectorTimestamp brought) {
        ByteWriter bytes = new ByteWriter();
        brought.encode(bytes);
        return Cargo.NONE.with(Cargo.TIMESTAMP_CODE, new Bytes(bytes.toArray()));
    }

    private List<Effect> perform() {
        return step(
                new Event.FaultRaised(
                        MappingId.FIRST, PAGE, FaultKind.READ, ThreadMark.UNKNOWN, 5));
    }

    private static List<Effect> resumed(WaiterId waiter) {
        return List.of(new Effect.ResumeWaiter(waiter, Outcome.DONE));
    }

    @Test
    void acquireThatWaitsForAWithdrawal_isPerformedByItsResult() {
        grant(FIRST, ONE);

        assertEquals(resumed(FIRST), step(WITHDRAWN));
    }

    @Test
    void acquireThatAllButOneProtocolHavePerformed_isNotHandedOn() {
        grant(FIRST, ONE);

        assertEquals(resumed(FIRST), perform());
    }

    @Test
    void acquiresUnderWayAtOnce_areHandedOnInTheOrderOfBeingPerformed() {
        grant(FIRST, ONE);
        grant(SECOND, OTHER);

        assertEquals(resumed(SECOND), perform());
        assertEquals(resumed(FIRST), perform());
    }

    @Test
    void tokenRequestedBeforeItIsAcquired_isPassedOnWhenNoThreadWaitsAnyMore() {
        grant(FIRST, ONE);
        LockRequest request = new LockRequest(ONE, NodeId.ROOT, Cargo.NONE);
        assertEquals(List.of(), step(new Event.MessageArrived(NodeId.ROOT, request, 5)));
        assertEquals(
                List.of(new Effect.ResumeWaiter(FIRST, Outcome.CANCELLED)),
                step(new Event.AcquireCancelled(FIRST, ONE)));

        assertEquals(
                List.of(new Effect.Send(NodeId.ROOT, new LockGrant(ONE, Cargo.NONE))), perform());
    }

    @Test
    void tokenThatIsPassedOnAtOnce_leavesBehindWhatItHasBrought() {
        VectorTimestamp brought = VectorTimestamp.zero(2).with(NodeId.ROOT, 7);
        Cargo cargo = cargo(brought);
        grant(FIRST, ONE, cargo);
        LockRequest request = new LockRequest(ONE, NodeId.ROOT, Cargo.NONE);
        step(new Event.MessageArrived(NodeId.ROOT, request, 5));
        step(new Event.AcquireCancelled(FIRST, ONE));

        assertEquals(List.of(new Effect.Send(NodeId.ROOT, new LockGrant(ONE, cargo))), perform());
        assertEquals(brought, late.getFirst().seenAtRelease);
    }

    @Test
    void acquireOfAnIntervalThatIsNotSeen_endsTheIntervalWithTheStoresBeforeIt() {
        LogicalClock clock = late.getFirst().context.clock();
        long before = clock.interval();
        clock.stored();

        grant(FIRST, ONE, cargo(VectorTimestamp.zero(2)));
        assertEquals(before, clock.interval());
        assertEquals(0, late.getFirst().intervalEnds);

        grant(SECOND, OTHER, cargo(VectorTimestamp.zero(2).with(NodeId.ROOT, 7)));
        assertEquals(before + 1, clock.interval());
        assertEquals(1, late.getFirst().intervalEnds);
    }

    @Test
    void nodeLostBeforeTheAcquireIsPerformed_endsTheWaitWithItsName() {
        grant(FIRST, ONE);

        List<Effect> effects = step(new Event.PeerLost(NodeId.ROOT, "gone"));

        assertEquals(List.of(new Effect.ResumeWaiter(FIRST, new Outcome.Lost(0, "gone"))), effects);
        assertTrue(step(new Event.AcquireCancelled(FIRST, ONE)).isEmpty());
    }
}
