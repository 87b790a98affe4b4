package io.muninn.kernel;

import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.spi.PoolResult;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WaiterId;
import io.muninn.spi.WeakRules;
import io.muninn.sync.SyncMessage.RefreshReply;
import io.muninn.wire.Codec;
import io.muninn.wire.WireMessage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernel's own logic: routing, waits, sealing, the flush timer, messages to itself. */
class NodeKernelTest {
    private static final WaiterId WAITER = new WaiterId(FIRST, 0);
    private static final WaiterId OTHER = new WaiterId(FIRST, 1);
    private static final LockId LOCK = new LockId("lock");
    private static final BarrierId BARRIER = new BarrierId("barrier");
    private static final PageId PAGE = new PageId(0, 2);
    private static final long HOLD_NANOS = 100;
    private static final long FLUSH_DELAY_NANOS = 777;

    private static RegionSpec region(int index, Protocol protocol, int pages) {
        long bytes = (long) pages * RegionSpec.MACHINE_PAGE_BYTES;
        return new RegionSpec(
                index, "region" + index, protocol, 0, bytes, Long.BYTES, 1, List.of());
    }

    private final RecordingEffects out = new RecordingEffects();

    @ParameterizedTest
    @EnumSource(FaultKind.class)
    void fault_isCountedByKind(FaultKind kind) {
        NodeKernel root = kernel(1, 1, Protocol.CONVENTIONAL);
        NodeCounter counter =
                kind == FaultKind.READ ? NodeCounter.READ_FAULTS : NodeCounter.WRITE_FAULTS;

        root.step(new Event.FaultRaised(FIRST, PAGE, kind, ThreadMark.UNKNOWN, 5), out);

        assertEquals(
                List.of(
                        new Counted(counter, 1),
                        new Effect.ResumeFault(FIRST, PAGE, PageAccess.READ_WRITE)),
                out.take());
    }

    @Test
    void faultOnNodeOfSeveralProcesses_isResumedInAllThatHaveStopped() {
        NodeKernel root = kernel(1, new NodeThreads(2, 1), Protocol.CONVENTIONAL);

        root.step(
                new Event.FaultRaised(MappingId.of(1), PAGE, FaultKind.READ, ThreadMark.UNKNOWN, 5),
                out);

        assertEquals(
                List.of(
                        new Counted(NodeCounter.READ_FAULTS, 1),
                        new Effect.ResumeFault(MappingId.ALL, PAGE, PageAccess.READ_WRITE)),
                out.take());
    }

    @Test
    void sameEvents_giveTheSameEffectsInTheSameOrder() {
        NodeKernel first = kernel(2, 2, Protocol.WRITE_SHARED);
        NodeKernel second = kernel(2, 2, Protocol.WRITE_SHARED);
        List<Event> events =
                List.of(
                        new Event.FaultRaised(FIRST, PAGE, FaultKind.WRITE, ThreadMark.UNKNOWN, 5),
                        new Event.AcquireCalled(WAITER, LOCK, 9),
                        new Event.BarrierReached(OTHER, BARRIER, 1, -1),
                        new Event.Sealed(OTHER));

        for (Event event : events) {
            first.step(event, out);
            List<Object> effects = out.take();
            second.step(event, out);
            assertEquals(effects, out.take());
        }
    }

    @Test
    void messagesToItself_areHeardWithinTheStep() {
        NodeKernel alone = kernel(1, 1, Protocol.CONVENTIONAL);

        alone.step(new Event.BarrierReached(WAITER, BARRIER, Event.ALL_PARTIES, -1), out);

        assertEquals(
                List.of(
                        new Counted(NodeCounter.BARRIERS, 1),
                        new Effect.CancelTimer(new TimerId.WaitOver(WAITER)),
                        new Effect.ResumeWaiter(WAITER, Outcome.DONE)),
                out.take());
    }

    @Test
    void withoutRegions_nothingHasToBeReleasedOrAcquired() {
        NodeKernel alone = kernelWithoutRegions(1, 1);

        alone.step(new Event.BarrierReached(WAITER, BARRIER, Event.ALL_PARTIES, -1), out);

        assertTrue(out.take().contains(new Effect.ResumeWaiter(WAITER, Outcome.DONE)));
    }

    @Test
    void releaseNoticed_armsTheFlushOnceUntilItIsOver() {
        NodeKernel root = kernel(1, 1, Protocol.WRITE_SHARED);
        Effect armed = new Effect.ArmTimer(new TimerId.FlushDue(), FLUSH_DELAY_NANOS);

        root.step(new Event.ReleaseNoticed(), out);
        root.step(new Event.ReleaseNoticed(), out);
        assertEquals(List.of(armed), out.take());
        root.step(new Event.TimerFired(new TimerId.FlushDue(), 5_000), out);
        root.step(new Event.ReleaseNoticed(), out);

        assertEquals(List.of(armed), out.take());
    }

    @Test
    void sealing_isOverWhenEveryWithdrawalIsDone() {
        NodeKernel root = kernel(1, 1, Protocol.WRITE_SHARED);
        for (int index : List.of(0, 2)) {
            PageId page = new PageId(0, index);
            root.step(
                    new Event.FaultRaised(FIRST, page, FaultKind.WRITE, ThreadMark.UNKNOWN, 5),
                    out);
        }
        out.take();

        root.step(new Event.Sealed(WAITER), out);
        assertEquals(
                List.of(
                        new Effect.Withdraw(FIRST, new PageId(0, 0), 1),
                        new Effect.Withdraw(FIRST, new PageId(0, 2), 1)),
                out.take());
        root.step(new Event.AccessWithdrawn(FIRST, new PageId(0, 0), 1, List.of()), out);
        assertEquals(List.of(), out.take());
        root.step(new Event.AccessWithdrawn(FIRST, new PageId(0, 2), 1, List.of()), out);

        assertEquals(List.of(new Effect.ResumeWaiter(WAITER, Outcome.DONE)), out.take());
    }

    @Test
    void sealingWithNothingToWithdraw_isOverAtOnce() {
        NodeKernel root = kernel(1, 1, Protocol.CONVENTIONAL);

        root.step(new Event.Sealed(WAITER), out);

        assertEquals(List.of(new Effect.ResumeWaiter(WAITER, Outcome.DONE)), out.take());
    }

    @Test
    void timerOfAWaitThatWasAnswered_isIgnored() {
        NodeKernel root = kernel(1, 1, Protocol.CONVENTIONAL);

        root.step(new Event.TimerFired(new TimerId.WaitOver(WAITER), 5), out);

        assertEquals(List.of(), out.take());
    }

    @Test
    void threadThatWaitsAndCallsAgain_isAViolation() {
        NodeKernel kernel = kernel(2, 1, Protocol.CONVENTIONAL);
        kernel.step(new Event.ReceiveCalled(WAITER, Event.ANY_NODE, 1, -1), out);

        ProtocolViolation violation =
                assertThrows(
                        ProtocolViolation.class,
                        () -> kernel.step(new Event.AcquireCalled(WAITER, LOCK, -1), out));

        assertTrue(violation.getMessage().contains("thread 0"), violation.getMessage());
        assertTrue(violation.getMessage().contains("ReceiveCalled"), violation.getMessage());
        assertTrue(violation.getMessage().contains("lock=lock"), violation.getMessage());
    }

    @Test
    void timeLimitOfASend_isAViolation() {
        NodeKernel kernel = kernel(2, 1, Protocol.CONVENTIONAL);
        for (int i = 0; i < 2; i++) {
            Bytes body = new Bytes(new byte[3 << 20]);
            kernel.step(new Event.SendCalled(WAITER, NodeId.of(1), 1, body), out);
        }

        assertThrows(
                ProtocolViolation.class,
                () -> kernel.step(new Event.TimerFired(new TimerId.WaitOver(WAITER), 5), out));
    }

    @Test
    void regionOutOfOrder_isAViolation() {
        NodeKernel kernel = kernel(1, 1, Protocol.CONVENTIONAL);
        Event.RegionAdded third = new Event.RegionAdded(region(2, Protocol.CONVENTIONAL, 1));

        assertThrows(ProtocolViolation.class, () -> kernel.step(third, out));
    }

    @Test
    void faultInNoRegion_isAViolation() {
        NodeKernel kernel = kernel(1, 1, Protocol.CONVENTIONAL);
        Event.FaultRaised fault =
                new Event.FaultRaised(
                        FIRST, new PageId(7, 0), FaultKind.READ, ThreadMark.UNKNOWN, 5);

        ProtocolViolation violation =
                assertThrows(ProtocolViolation.class, () -> kernel.step(fault, out));

        assertEquals("page=7/0 is in no region", violation.getMessage());
    }

    @Test
    void prefetchOutOfItsRegion_isAViolation() {
        NodeKernel kernel = kernel(1, 1, Protocol.WRITE_SHARED); // with four pages

        kernel.step(new Event.PrefetchCalled(FIRST, new PageId(0, 1), 3, Mode.READ), out);
        assertEquals(
                List.of(
                        new Counted(NodeCounter.PREFETCHES_UNNECESSARY, 3),
                        new Counted(NodeCounter.PREFETCHES, 3)),
                out.take());
        for (int count : new int[] {-1, 0, 4, Integer.MAX_VALUE}) {
            Event over = new Event.PrefetchCalled(FIRST, new PageId(0, 1), count, Mode.READ);
            ProtocolViolation violation =
                    assertThrows(ProtocolViolation.class, () -> kernel.step(over, out));
            assertEquals(
                    "prefetch of " + count + " pages from page=0/1, but variable 'region0' has 4",
                    violation.getMessage());
        }
        assertThrows(
                ProtocolViolation.class,
                () ->
                        kernel.step(
                                new Event.PrefetchCalled(FIRST, new PageId(1, 0), 1, Mode.READ),
                                out));
    }

    @Test
    void prefetchAfterALoss_isIgnored() {
        NodeKernel kernel = kernel(2, 1, Protocol.WRITE_SHARED);
        kernel.step(new Event.PeerLost(NodeId.of(1), "gone"), out);
        out.take();

        kernel.step(new Event.PrefetchCalled(FIRST, new PageId(0, 0), 9, Mode.READ), out);

        assertEquals(List.of(), out.take());
    }

    @Test
    void refreshAfterALoss_isToldOfIt() {
        NodeKernel kernel = kernel(2, 1, Protocol.WRITE_SHARED);
        kernel.step(new Event.RefreshCalled(WAITER), out);
        out.take();

        kernel.step(new Event.PeerLost(NodeId.of(1), "gone"), out);
        kernel.step(new Event.RefreshCalled(WAITER), out);

        Effect told = new Effect.ResumeWaiter(WAITER, new Outcome.Lost(1, "gone"));
        assertEquals(List.of(told, told), out.take());
    }

    @Test
    void messageOfNoKind_isAViolation() {
        NodeKernel kernel = kernel(1, 1, Protocol.CONVENTIONAL);

        assertThrows(
                ProtocolViolation.class,
                () -> kernel.step(new Event.MessageArrived(NodeId.ROOT, new Stray(), 5), out));
    }

    private record Stray() implements WireMessage {
        @Override
        public Codec<?> codec() {
            throw new AssertionError("never sent");
        }
    }

    /** The root's kernel, with one region of four pages. */
    @Test
    void pageOfAPool_isHeldFromTheResultThatItIsEntered() {
        PageId page = new PageId(0, 0); // of the root
        NodeId self = NodeId.of(1);
        UpdateRules rules = UpdateRules.DEFAULT.withWeak(WeakRules.DEFAULT.pooled());
        NodeKernel kernel = kernelWithoutRegions(self, 2, new NodeThreads(1, 2), rules);
        kernel.step(new Event.RegionAdded(region(0, Protocol.WEAK, 4)), out);
        kernel.step(fault(page, 5), out);
        kernel.step(poolDone(new PoolResult.Entered(page, PoolResult.Entry.SAFE), 1_000), out);
        kernel.step(new Event.RefreshCalled(OTHER), out);
        RefreshReply reply = new RefreshReply(1, Cargo.NONE);
        kernel.step(new Event.MessageArrived(NodeId.ROOT, reply, 1_000 + HOLD_NANOS / 2), out);
        out.take();

        kernel.step(poolDone(new PoolResult.Listed(List.of(page)), 1_000 + HOLD_NANOS / 2), out);

        assertEquals(
                List.of(new Effect.ArmTimer(new TimerId.HoldOver(page), HOLD_NANOS)), out.take());
    }

    private static Event fault(PageId page, long nowNanos) {
        return new Event.FaultRaised(FIRST, page, FaultKind.READ, ThreadMark.UNKNOWN, nowNanos);
    }

    private static Event poolDone(PoolResult result, long nowNanos) {
        return new Event.PoolDone(Protocol.WEAK, result, nowNanos);
    }

    private NodeKernel kernel(int nodes, int threads, Protocol protocol) {
        return kernel(nodes, new NodeThreads(1, threads), protocol);
    }

    private NodeKernel kernel(int nodes, NodeThreads threads, Protocol protocol) {
        NodeKernel kernel = kernelWithoutRegions(nodes, threads);
        kernel.step(new Event.RegionAdded(region(0, protocol, 4)), out);
        out.take();
        return kernel;
    }

    private static NodeKernel kernelWithoutRegions(int nodes, int threads) {
        return kernelWithoutRegions(nodes, new NodeThreads(1, threads));
    }

    private static NodeKernel kernelWithoutRegions(int nodes, NodeThreads threads) {
        return kernelWithoutRegions(NodeId.ROOT, nodes, threads, UpdateRules.PLAIN);
    }

    private static NodeKernel kernelWithoutRegions(
            NodeId self, int nodes, NodeThreads threads, UpdateRules rules) {
        return new NodeKernel(
                new KernelConfig(
                        self,
                        nodes,
                        threads,
                        HOLD_NANOS,
                        FLUSH_DELAY_NANOS,
                        rules,
                        AdaptiveTwinRules.DEFAULT,
                        false));
    }
}
