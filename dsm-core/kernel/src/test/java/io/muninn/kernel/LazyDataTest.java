package io.muninn.kernel;

import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.directory.DatedCopyset;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.BarrierId;
import io.muninn.model.FaultKind;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effect;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.WaiterId;
import io.muninn.sync.CollectionMessage.CollectHave;
import io.muninn.sync.SyncMessage.BarrierArrive;
import io.muninn.sync.SyncMessage.BarrierDepart;
import io.muninn.sync.SyncMessage.LockGrant;
import io.muninn.sync.SyncMessage.LockRequest;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.WireMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Timestamps and collections, for a protocol that keeps ten bytes for each store. */
class LazyDataTest {
    private static final long BYTES_OF_STORE = 10;
    private static final LockId LOCK = new LockId("lock");
    private static final BarrierId BARRIER = new BarrierId("barrier");
    private static final NodeId OTHER = NodeId.of(1);
    private static final WaiterId WAITER = new WaiterId(FIRST, 0);

    /** Replaces the conventional protocol. */
    private static final class Lazy implements CoherenceProtocol<Conventional.Msg> {
        private final Context context;
        private final List<String> collections = new ArrayList<>();
        private long kept;
        private long validating; // number of the last collection

        Lazy(Context context) {
            this.context = context;
        }

        @Override
        public boolean usesTimestamps() {
            return true;
        }

        @Override
        public long lazyBytes() {
            return kept;
        }

        @Override
        public void onWriteFault(PageId page, Effects out) {
            kept += BYTES_OF_STORE;
            context.clock().stored();
        }

        @Override
        public void onReadFault(PageId page, Effects out) {
            out.collectPerformed(validating);
        }

        @Override
        public Bytes onSend(NodeId to, Effects out) {
            return new Bytes(new byte[] {(byte) to.index()});
        }

        @Override
        public void onCollect(long number, VectorTimestamp upTo, Effects out) {
            collections.add("collect " + number + " " + upTo);
            validating = number;
        }

        @Override
        public void onCollected(VectorTimestamp upTo, Effects out) {
            collections.add("collected " + upTo);
            kept = 0;
        }

        @Override
        public String describe(PageId page) {
            return page.toString();
        }

        @Override
        public PageSnapshot snapshot(PageId page) {
            return new PageSnapshot(page, "Lazy", NodeId.ROOT, DatedCopyset.EMPTY);
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
    private final List<Lazy> lazy = new ArrayList<>();

    /** The root's kernel, with a bound of two stores. */
    private NodeKernel root(int nodes) {
        return new NodeKernel(
                new KernelConfig(
                        NodeId.ROOT,
                        nodes,
                        1,
                        100,
                        100,
                        UpdateRules.PLAIN.withLazyBytes(2 * BYTES_OF_STORE)),
                Map.of(
                        Protocol.CONVENTIONAL,
                        context -> {
                            lazy.add(new Lazy(context));
                            return new ProtocolKind.BoundProtocol<>(
                                    Conventional.Msg.class, lazy.getFirst());
                        }));
    }

    private static Event region(int index, Protocol protocol) {
        long bytes = RegionSpec.MACHINE_PAGE_BYTES;
        return new Event.RegionAdded(
                new RegionSpec(
                        index, "region" + index, protocol, 0, bytes, Long.BYTES, 1, List.of()));
    }

    private List<WireMessage> step(NodeKernel kernel, Event event) {
        kernel.step(event, out);
        return out.take().stream()
                .filter(Effect.Send.class::isInstance)
                .map(sent -> ((Effect.Send) sent).message())
                .toList();
    }

    private static Event arrived(WireMessage message) {
        return new Event.MessageArrived(OTHER, message, 5);
    }

    private static Event fault(FaultKind kind) {
        return new Event.FaultRaised(FIRST, new PageId(0, 0), kind, ThreadMark.UNKNOWN, 5);
    }

    private static Cargo stamp(long ofRoot, long ofOther) {
        ByteWriter stamp = new ByteWriter();
        VectorTimestamp.zero(2).with(NodeId.ROOT, ofRoot).with(OTHER, ofOther).encode(stamp);
        return Cargo.NONE.with(Cargo.TIMESTAMP_CODE, new Bytes(stamp.toArray()));
    }

    /** The timestamp of a cargo in words; empty if it has none. */
    private static String stampOf(Cargo cargo) {
        Bytes stamp = cargo.of(Cargo.TIMESTAMP_CODE);
        return stamp.length() == 0
                ? ""
                : VectorTimestamp.decode(new ByteReader(stamp.array())).toString();
    }

    private String stampOfGrant(NodeKernel root, LockId lock) {
        Event request = arrived(new LockRequest(lock, OTHER, Cargo.NONE));
        return stampOf(((LockGrant) step(root, request).getFirst()).cargo());
    }

    // timestamps

    @Test
    void cargo_hasTimestampsFromTheFirstRegionThatNeedsThem() {
        NodeKernel root = root(2);
        step(root, region(0, Protocol.MIGRATORY));
        assertEquals("", stampOfGrant(root, LOCK));

        step(root, region(1, Protocol.CONVENTIONAL));

        assertEquals("[0, 0]", stampOfGrant(root, new LockId("another")));
    }

    @Test
    void nodeWithoutSuchARegion_passesOnTheTimestampsThatItHasSeen() {
        NodeKernel root = root(2);
        step(root, arrived(new BarrierArrive(BARRIER, 1, 0, 2, stamp(0, 7))));
        step(root, new Event.BarrierReached(WAITER, BARRIER, 2, -1));

        assertEquals("[0, 7]", stampOfGrant(root, LOCK));
    }

    @Test
    void regionAddedBetweenArrivals_departuresHaveTheTimestampsThatCame() {
        NodeKernel root = root(2);
        step(root, new Event.BarrierReached(WAITER, BARRIER, 2, -1));
        step(root, region(0, Protocol.CONVENTIONAL));

        BarrierDepart depart =
                (BarrierDepart)
                        step(root, arrived(new BarrierArrive(BARRIER, 1, 0, 2, Cargo.NONE)))
                                .getFirst();

        assertEquals("[0, 0]", stampOf(depart.cargo()));
    }

    // collections

    @Test
    void nodeAlone_collectsWithinTheStepThatKeepsTooMuch() {
        NodeKernel root = root(1);
        step(root, region(0, Protocol.CONVENTIONAL));
        for (int i = 0; i < 2; i++) {
            step(root, fault(FaultKind.WRITE));
            assertEquals("Idle", root.view().collectionState());
        }

        step(root, fault(FaultKind.WRITE));

        assertEquals("Validating", root.view().collectionState());
        assertEquals(List.of("collect 1 [1]"), lazy.getFirst().collections);
        root.step(fault(FaultKind.READ), out);
        assertEquals("Idle", root.view().collectionState());
        assertEquals(List.of("collect 1 [1]", "collected [1]"), lazy.getFirst().collections);
        assertTrue(out.take().contains(new Counted(NodeCounter.COLLECTIONS, 1)));
    }

    @Test
    void collection_coversTheStoresBeforeItAndWhatOthersHave() {
        NodeKernel root = root(2);
        step(root, region(0, Protocol.CONVENTIONAL));
        for (int i = 0; i < 3; i++) {
            step(root, fault(FaultKind.WRITE));
        }
        assertEquals("Gathered", root.view().collectionState());
        step(root, fault(FaultKind.WRITE)); // after the release

        step(root, arrived(new CollectHave(1, stamp(0, 4))));

        assertEquals(List.of("collect 1 [1, 4]"), lazy.getFirst().collections);
    }

    @Test
    void collection_endsTheIntervalInWhichItWithdrawsPages() {
        NodeKernel root = root(2);
        step(root, region(0, Protocol.CONVENTIONAL));
        for (int i = 0; i < 3; i++) {
            step(root, fault(FaultKind.WRITE));
        }
        step(root, fault(FaultKind.WRITE)); // after the release
        LogicalClock clock = lazy.getFirst().context.clock();
        long interval = clock.interval();

        step(root, arrived(new CollectHave(1, stamp(0, 4))));

        assertEquals(interval + 1, clock.interval());
    }

    @Test
    void nodeLostInTheMiddle_endsTheCollectionWithoutDropping() {
        NodeKernel root = root(2);
        step(root, region(0, Protocol.CONVENTIONAL));
        for (int i = 0; i < 3; i++) {
            step(root, fault(FaultKind.WRITE));
        }

        step(root, new Event.PeerLost(OTHER, "gone"));
        step(root, arrived(new CollectHave(1, stamp(0, 4))));
        step(root, fault(FaultKind.WRITE));

        assertEquals("Gathered", root.view().collectionState());
        assertEquals(List.of(), lazy.getFirst().collections);
    }
}
