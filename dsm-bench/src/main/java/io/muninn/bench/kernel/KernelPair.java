package io.muninn.bench.kernel;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.kernel.EffectPerformer;
import io.muninn.kernel.KernelConfig;
import io.muninn.kernel.KernelLoop;
import io.muninn.kernel.NodeKernel;
import io.muninn.kernel.PageStatistics;
import io.muninn.kernel.port.PoolMemory;
import io.muninn.kernel.port.Traps;
import io.muninn.model.BarrierId;
import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WaiterId;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.wire.Codecs;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The kernels of two nodes in one thread. Messages between them are encoded and decoded. In every
 * interval the first node stores to write-shared pages of which the second has copies, so the pages
 * are hot. The pages have no memory ({@link NoPages}). The clock advances by a nanosecond per fault
 * or message, so no window ends.
 *
 * <p><b>Threads.</b> One.
 */
final class KernelPair {
    private static final int MESSAGE_BYTES_MAX = 1 << 20;
    private static final long HOLD_NANOS = 200_000;
    private static final long FLUSH_DELAY_NANOS = 1_000_000;
    private static final long NO_LIMIT = -1;
    private static final WaiterId THREAD = new WaiterId(MappingId.FIRST, 0);
    private static final BarrierId BARRIER = new BarrierId("interval");
    private static final Codecs CODECS = new Codecs(NodeKernel.codecs());

    private final int pages;
    private final Node writer = new Node(NodeId.ROOT);
    private final Node reader = new Node(NodeId.of(1));
    private long nowNanos;

    /**
     * @param pages number of pages that each release finds changed
     */
    KernelPair(int pages) {
        this.pages = pages;
        RegionSpec region =
                new RegionSpec(
                        0,
                        "pages",
                        Protocol.WRITE_SHARED,
                        0,
                        (long) pages * RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        List.of());
        writer.handle(new Event.RegionAdded(region));
        reader.handle(new Event.RegionAdded(region));
        writer.handle(new Event.Sealed(THREAD));
        faults(reader, FaultKind.READ);
        faults(writer, FaultKind.READ);
        for (int i = 0; i < AdaptiveTwinRules.DEFAULT.hotAfter(); i++) {
            faults(writer, FaultKind.UPGRADE);
            release();
        }
    }

    private void faults(Node node, FaultKind kind) {
        for (int i = 0; i < pages; i++) {
            PageId page = new PageId(0, i);
            node.handle(
                    new Event.FaultRaised(
                            MappingId.FIRST, page, kind, ThreadMark.UNKNOWN, ++nowNanos));
            deliverAll();
        }
    }

    /** Both nodes enter a barrier and leave it. */
    void release() {
        writer.handle(new Event.BarrierReached(THREAD, BARRIER, Event.ALL_PARTIES, NO_LIMIT));
        reader.handle(new Event.BarrierReached(THREAD, BARRIER, Event.ALL_PARTIES, NO_LIMIT));
        deliverAll();
    }

    private void deliverAll() {
        boolean any = true;
        while (any) {
            any = deliver(reader, writer);
            any |= deliver(writer, reader);
        }
    }

    /** Delivers one message; returns false if there is none. */
    private boolean deliver(Node from, Node to) {
        ByteBuf bytes = from.sent.poll();
        if (bytes == null) {
            return false;
        }
        WireMessage message = CODECS.decode(new ByteBufReader(bytes));
        to.handle(new Event.MessageArrived(from.self, message, ++nowNanos));
        from.unused.add(bytes);
        return true;
    }

    /** The value of a counter of the node that stores. */
    long count(NodeCounter counter) {
        return writer.counts[counter.ordinal()];
    }

    /** The number of returned calls of threads, on both nodes. */
    long returned() {
        return writer.returned + reader.returned;
    }

    private final class Node {
        final NodeId self;
        final ArrayDeque<ByteBuf> sent = new ArrayDeque<>();
        final ArrayDeque<ByteBuf> unused = new ArrayDeque<>();
        final long[] counts = new long[NodeCounter.values().length];
        long returned;
        private final ByteBufWriter encoder = new ByteBufWriter(NoPages.INSTANCE);
        private final KernelLoop loop;

        Node(NodeId self) {
            this.self = self;
            KernelConfig config =
                    new KernelConfig(
                            self, 2, 1, HOLD_NANOS, FLUSH_DELAY_NANOS, UpdateRules.DEFAULT);
            PageStatistics statistics = new PageStatistics();
            loop =
                    new KernelLoop(
                            new NodeKernel(config),
                            new EffectPerformer.Ports(
                                    (_, message) -> send(message),
                                    NoPages.INSTANCE,
                                    PoolMemory.NONE,
                                    NoPages.INSTANCE,
                                    (_, _) -> returned++,
                                    NoPages.INSTANCE,
                                    (counter, amount) -> counts[counter.ordinal()] += amount,
                                    reason -> {
                                        throw new IllegalStateException(reason);
                                    }),
                            Traps.NONE,
                            () -> nowNanos,
                            statistics,
                            (event, cause) -> {
                                throw new IllegalStateException("at " + event, cause);
                            });
        }

        void handle(Event event) {
            loop.handle(event);
        }

        private int send(WireMessage message) {
            ByteBuf bytes = unused.isEmpty() ? Unpooled.directBuffer() : unused.remove();
            bytes.clear();
            encoder.wrap(bytes, MESSAGE_BYTES_MAX);
            Codecs.encode(message, encoder);
            sent.add(bytes);
            return bytes.readableBytes();
        }
    }
}
