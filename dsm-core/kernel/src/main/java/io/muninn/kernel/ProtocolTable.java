package io.muninn.kernel;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolViolation;
import io.muninn.sync.CargoHold;
import io.muninn.wire.MalformedMessageException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The protocols of one node and the regions bound to each; loads and unloads their cargo in order
 * of protocol.
 */
final class ProtocolTable implements CargoHold {
    private final EnumMap<Protocol, ProtocolKind.BoundProtocol<?>> protocols =
            new EnumMap<>(Protocol.class);
    private final List<RegionSpec> regions = new ArrayList<>();

    ProtocolTable(Context context) {
        for (ProtocolKind kind : ProtocolKind.values()) {
            protocols.put(kind.protocol(), kind.create(context));
        }
    }

    void add(RegionSpec region) {
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
        protocols.get(region.protocol()).protocol().onRegionAdded(region);
    }

    RegionSpec region(PageId page) {
        if (page.region() >= regions.size()) {
            throw new ProtocolViolation("page=" + page + " is in no region");
        }
        return regions.get(page.region());
    }

    CoherenceProtocol<?> of(PageId page) {
        return protocols.get(region(page).protocol()).protocol();
    }

    int count() {
        return protocols.size();
    }

    void forEach(Consumer<CoherenceProtocol<?>> action) {
        protocols.values().forEach(bound -> action.accept(bound.protocol()));
    }

    /**
     * Hands a message to the protocol of its pages.
     *
     * @throws MalformedMessageException if it has no pages, pages of several protocols, or is not
     *     one of that protocol's messages: no node sends such a message
     */
    void onMessage(NodeId from, ProtocolMessage message, Effects out) {
        protocols.get(protocolOf(message)).onMessage(from, message, out);
    }

    private Protocol protocolOf(ProtocolMessage message) {
        List<PageId> pages = message.pages();
        if (pages.isEmpty()) {
            return message.addressee()
                    .orElseThrow(() -> new MalformedMessageException("no page in " + message));
        }
        int region = pages.getFirst().region();
        Protocol protocol = message.addressee().orElse(regions.get(region).protocol());
        for (int i = 0; i < pages.size(); i++) {
            int next = pages.get(i).region();
            if (next != region || i == 0) {
                region = next;
                if (regions.get(next).protocol() != protocol) {
                    throw new MalformedMessageException(
                            "page " + pages.get(i) + " is not " + protocol + " in " + message);
                }
            }
        }
        return protocol;
    }

    void onAcquire(GatedAcquire acquire, Cargo cargo, Effects out) {
        protocols.forEach(
                (key, bound) -> bound.protocol().onAcquire(acquire, cargo.of(key.code()), out));
    }

    /** One protocol's part of a cargo. */
    private interface Loader {
        Bytes load(int code, CoherenceProtocol<?> protocol);
    }

    private Cargo load(Loader loader) {
        Cargo cargo = Cargo.NONE;
        for (var each : protocols.entrySet()) {
            int code = each.getKey().code();
            cargo = cargo.with(code, loader.load(code, each.getValue().protocol()));
        }
        return cargo;
    }

    @Override
    public Cargo onLockRequest(LockId lock, Effects out) {
        return load((_, protocol) -> protocol.onLockRequest(lock, out));
    }

    @Override
    public Cargo onGrant(LockId lock, NodeId to, Cargo request, Effects out) {
        return load((code, protocol) -> protocol.onGrant(lock, to, request.of(code), out));
    }

    @Override
    public Cargo onBarrierArrive(BarrierId barrier, Effects out) {
        return load((_, protocol) -> protocol.onBarrierArrive(barrier, out));
    }

    @Override
    public void onArrivalDeposited(BarrierId barrier, NodeId from, Cargo arrival) {
        protocols.forEach((key, bound) ->
                bound.protocol().onArrivalDeposited(barrier, from, arrival.of(key.code())));
    }

    @Override
    public SortedMap<NodeId, Cargo> onBarrierComplete(BarrierId barrier, Set<NodeId> nodes) {
        TreeMap<NodeId, Cargo> departures = new TreeMap<>();
        protocols.forEach((key, bound) ->
                bound.protocol()
                        .onBarrierComplete(barrier, nodes)
                        .forEach((node, bytes) ->
                                departures.put(
                                        node,
                                        departures
                                                .getOrDefault(node, Cargo.NONE)
                                                .with(key.code(), bytes))));
        return departures;
    }

    @Override
    public Cargo onSend(NodeId to, Effects out) {
        return load((_, protocol) -> protocol.onSend(to, out));
    }
}
