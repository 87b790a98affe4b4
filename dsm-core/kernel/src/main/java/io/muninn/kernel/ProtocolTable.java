package io.muninn.kernel;

import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.LazyData;
import io.muninn.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** The protocols of one node and the regions bound to each. */
final class ProtocolTable implements LazyData {
    private final EnumMap<Protocol, ProtocolKind.BoundProtocol<?>> protocols;
    private final UpdateRules updates; // determine the traits of a region's protocol
    private final List<RegionSpec> regions = new ArrayList<>();
    private final EnumSet<Protocol> used = EnumSet.noneOf(Protocol.class);
    private List<Synchronized> inUse = List.of(); // made from it
    private boolean useTimestamps;
    private boolean haveViews;

    /**
     * A protocol that takes part in synchronization.
     *
     * @param code of its cargo
     */
    record Synchronized(int code, CoherenceProtocol<?> protocol) {}

    /**
     * @param others replace registered protocols
     */
    ProtocolTable(
            Context context,
            Map<Protocol, Function<Context, ProtocolKind.BoundProtocol<?>>> others) {
        this(new EnumMap<>(Protocol.class), context.updates());
        for (Protocol protocol : Protocol.values()) {
            ProtocolKind kind = ProtocolKind.of(protocol, context.updates());
            protocols.put(protocol, others.getOrDefault(protocol, kind::create).apply(context));
        }
    }

    ProtocolTable(EnumMap<Protocol, ProtocolKind.BoundProtocol<?>> protocols, UpdateRules updates) {
        this.protocols = protocols;
        this.updates = updates;
    }

    void add(Event.RegionAdded added) {
        RegionSpec region = added.region();
        if (region.index() != regions.size()) {
            throw new ProtocolViolation(
                    "region "
                            + region.name()
                            + " has index "
                            + region.index()
                            + ", not "
                            + regions.size());
        }
        regions.add(region);
        CoherenceProtocol<?> protocol = of(region.protocol());
        if (added.isAllocated()) {
            protocol.onRegionAllocated(region);
        } else {
            protocol.onRegionAdded(region);
        }
        haveViews |= ProtocolKind.of(region.protocol(), updates).traits().has(Trait.VIEWS);
        useTimestamps |= protocol.usesTimestamps();
        use(useTimestamps ? protocols.keySet() : List.of(region.protocol()));
    }

    /** Puts all protocols into use, because a timestamp has arrived. */
    void useAll() {
        use(protocols.keySet());
    }

    private void use(Collection<Protocol> more) {
        if (used.addAll(more)) {
            inUse = used.stream().map(each -> new Synchronized(each.code(), of(each))).toList();
        }
    }

    CoherenceProtocol<?> of(Protocol protocol) {
        return bound(protocol).protocol();
    }

    /**
     * The protocols that take part in releases, acquires and cargo, in order of protocol. A
     * protocol without regions has nothing to release or to acquire, and is left out. With
     * timestamps none is left out: they cover the acquires of all protocols.
     */
    List<Synchronized> inUse() {
        return inUse;
    }

    /** True if the cargo of some protocol with regions is ordered by timestamps. */
    boolean useTimestamps() {
        return useTimestamps;
    }

    /** True if the processes of a node have views of some region. */
    boolean haveViews() {
        return haveViews;
    }

    RegionSpec region(PageId page) {
        if (page.region() >= regions.size()) {
            throw new ProtocolViolation("page=" + page + " is in no region");
        }
        return regions.get(page.region());
    }

    CoherenceProtocol<?> of(PageId page) {
        return of(region(page).protocol());
    }

    void forEach(Consumer<CoherenceProtocol<?>> action) {
        protocols.values().forEach(bound -> action.accept(bound.protocol()));
    }

    /**
     * Passes a prefetch to the protocol of its pages.
     *
     * @throws ProtocolViolation if not all of them are pages of the region
     */
    void onPrefetch(PageId first, int count, Mode mode, Effects out) {
        check(first, count, "prefetch");
        of(first).onPrefetch(first, count, mode, out);
    }

    /**
     * Passes advice to the protocol of its pages.
     *
     * @throws ProtocolViolation if not all of them are pages of the region
     */
    void onAdvice(PageId first, int count, PageAdvice advice, Effects out) {
        check(first, count, "advice");
        of(first).onAdvice(first, count, advice, out);
    }

    private void check(PageId first, int count, String event) {
        RegionSpec region = region(first);
        if (count < 1 || count > region.pages() - first.index()) {
            throw new ProtocolViolation(
                    event
                            + " of "
                            + count
                            + " pages from page="
                            + first
                            + ", but variable '"
                            + region.name()
                            + "' has "
                            + region.pages());
        }
    }

    /**
     * Passes a message to the protocol of its pages.
     *
     * @throws MalformedMessageException if it has no pages, pages of several protocols, or is not
     *     one of that protocol's messages: no node sends such a message
     */
    void onMessage(NodeId from, ProtocolMessage message, Effects out) {
        bound(protocolOf(message)).onMessage(from, message, out);
    }

    private ProtocolKind.BoundProtocol<?> bound(Protocol protocol) {
        ProtocolKind.BoundProtocol<?> bound = protocols.get(protocol);
        if (bound == null) {
            throw new IllegalStateException("no class is registered for " + protocol);
        }
        return bound;
    }

    private Protocol protocolOf(ProtocolMessage message) {
        int count = message.pageCount();
        if (count == 0) {
            return message.addressee()
                    .orElseThrow(() -> new MalformedMessageException("no page in " + message));
        }
        Protocol first = regions.get(message.page(0).region()).protocol();
        Protocol protocol = message.addressee().orElse(first);
        for (int i = 0; i < count; i++) {
            PageId page = message.page(i);
            if (regions.get(page.region()).protocol() != protocol) {
                throw new MalformedMessageException(
                        "page " + page + " is not " + protocol + " in " + message);
            }
        }
        return protocol;
    }

    /** Bytes of lazy data that all protocols keep; none keeps any before timestamps are used. */
    long lazyBytes() {
        long sum = 0;
        if (useTimestamps) {
            for (ProtocolKind.BoundProtocol<?> bound : protocols.values()) {
                sum += bound.protocol().lazyBytes();
            }
        }
        return sum;
    }

    @Override
    public int parts() {
        return protocols.size();
    }

    @Override
    public void onCollect(long number, VectorTimestamp upTo, Effects out) {
        forEach(protocol -> protocol.onCollect(number, upTo, out));
        out.endInterval();
    }

    @Override
    public void onCollected(VectorTimestamp upTo, Effects out) {
        forEach(protocol -> protocol.onCollected(upTo, out));
    }
}
