package io.muninn.kernel;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Effects;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.CargoHold;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Assembles and distributes the cargo of one node: the parts of its protocols, in order of
 * protocol, and, in runs in which a protocol uses them, the timestamps of the logical clock.
 */
final class CargoLoader implements CargoHold {
    private final NodeId self;
    private final ProtocolTable protocols;
    private final LogicalClock clock;
    private final VectorTimestamp zero;
    private final Map<BarrierId, VectorTimestamp> arrivals =
            new LinkedHashMap<>(); // at the manager

    CargoLoader(NodeId self, int nodes, ProtocolTable protocols, LogicalClock clock) {
        this.self = self;
        this.protocols = protocols;
        this.clock = clock;
        this.zero = VectorTimestamp.zero(nodes);
    }

    /** Distributes cargo that has arrived from another node or from this one. */
    void deposit(NodeId from, Cargo cargo, Effects out) {
        if (cargo.items().isEmpty()) {
            return;
        }
        if (cargo.of(Cargo.TIMESTAMP_CODE).length() > 0) {
            protocols.useAll();
        }
        if (!from.equals(self)) {
            for (var each : protocols.inUse()) {
                Bytes part = cargo.of(each.code());
                if (part.length() > 0) {
                    each.protocol().onDeposited(from, part, out);
                }
            }
        }
        clock.onDeposited(timestamp(cargo));
    }

    @Override
    public VectorTimestamp timestamp(Cargo cargo) {
        Bytes bytes = cargo.of(Cargo.TIMESTAMP_CODE);
        if (bytes.length() == 0) {
            return zero;
        }
        ByteReader in = new ByteReader(bytes.array());
        VectorTimestamp timestamp = VectorTimestamp.decode(in);
        if (timestamp.nodes() != zero.nodes() || in.remaining() > 0) {
            throw new MalformedMessageException(
                    "a timestamp of "
                            + timestamp.nodes()
                            + " nodes, and "
                            + in.remaining()
                            + " bytes");
        }
        return timestamp;
    }

    /**
     * Adds a timestamp to cargo. A node without a region whose protocol uses timestamps relays
     * those that it has received, because other nodes may have such a region.
     */
    private Cargo stamped(VectorTimestamp timestamp, Cargo cargo) {
        if (!protocols.useTimestamps() && zero.covers(timestamp)) {
            return cargo;
        }
        ByteWriter out = new ByteWriter();
        timestamp.encode(out);
        return cargo.with(Cargo.TIMESTAMP_CODE, new Bytes(out.toArray()));
    }

    /** One protocol's part of a cargo. */
    private interface Part {
        Bytes of(int code, CoherenceProtocol<?> protocol);
    }

    private Cargo load(Part part) {
        Cargo cargo = Cargo.NONE;
        for (var each : protocols.inUse()) {
            cargo = cargo.with(each.code(), part.of(each.code(), each.protocol()));
        }
        return cargo;
    }

    @Override
    public Cargo onLockRequest(LockId lock, Effects out) {
        return load((_, protocol) -> protocol.onLockRequest(lock, out));
    }

    @Override
    public Cargo onGrant(LockId lock, NodeId to, Cargo request, Effects out) {
        return stamped(
                clock.seen(),
                load((code, protocol) -> protocol.onGrant(lock, to, request.of(code), out)));
    }

    @Override
    public Cargo onSend(NodeId to, Effects out) {
        return stamped(clock.seen(), parts(to, out));
    }

    @Override
    public Cargo onHave(Effects out) {
        VectorTimestamp released = clock.have().with(self, clock.seen().of(self));
        return stamped(released, parts(NodeId.ROOT, out));
    }

    @Override
    public Cargo onCollect(NodeId to, VectorTimestamp upTo, Effects out) {
        return stamped(upTo, parts(to, out));
    }

    @Override
    public Cargo onRelay(NodeId to, VectorTimestamp upTo, Effects out) {
        Cargo lacking = parts(to, out);
        return stamped(upTo, lacking);
    }

    private Cargo parts(NodeId to, Effects out) {
        return to.equals(self) ? Cargo.NONE : load((_, protocol) -> protocol.onSend(to, out));
    }

    @Override
    public void onArrival(BarrierId barrier, Cargo arrival) {
        if (arrival.of(Cargo.TIMESTAMP_CODE).length() > 0) {
            arrivals.merge(barrier, timestamp(arrival), VectorTimestamp::join);
        }
    }

    @Override
    public SortedMap<NodeId, Cargo> onBarrierComplete(
            BarrierId barrier, Set<NodeId> nodes, Effects out) {
        VectorTimestamp all = Optional.ofNullable(arrivals.remove(barrier)).orElse(zero);
        TreeMap<NodeId, Cargo> departures = new TreeMap<>();
        nodes.forEach(node -> departures.put(node, stamped(all, parts(node, out))));
        return departures;
    }
}
