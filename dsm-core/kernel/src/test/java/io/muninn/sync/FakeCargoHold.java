package io.muninn.sync;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Cargo with a label that names its origin; records the deposited cargo. */
final class FakeCargoHold implements CargoHold {
    private static final int CODE = 1;
    private static final int NODES = 4;

    final List<String> unloaded = new ArrayList<>();
    final List<String> arrivals = new ArrayList<>();

    static Cargo labelled(String label) {
        return Cargo.NONE.with(CODE, new Bytes(label.getBytes(StandardCharsets.UTF_8)));
    }

    static String label(Cargo cargo) {
        return new String(cargo.of(CODE).array(), StandardCharsets.UTF_8);
    }

    @Override
    public Cargo onLockRequest(LockId lock, Effects out) {
        return labelled("request");
    }

    @Override
    public Cargo onGrant(LockId lock, NodeId to, Cargo request, Effects out) {
        return labelled("grant for the " + label(request) + " of " + to);
    }

    @Override
    public Cargo onSend(NodeId to, Effects out) {
        return labelled("cargo for " + to);
    }

    static Cargo stamped(VectorTimestamp timestamp, String label) {
        ByteWriter out = new ByteWriter();
        timestamp.encode(out);
        return labelled(label).with(Cargo.TIMESTAMP_CODE, new Bytes(out.toArray()));
    }

    @Override
    public Cargo onHave(Effects out) {
        return labelled("have");
    }

    @Override
    public Cargo onCollect(NodeId to, VectorTimestamp upTo, Effects out) {
        return stamped(upTo, "collected for " + to);
    }

    @Override
    public Cargo onRelay(NodeId to, VectorTimestamp upTo, Effects out) {
        return stamped(upTo, "relayed to " + to);
    }

    @Override
    public VectorTimestamp timestamp(Cargo cargo) {
        byte[] bytes = cargo.of(Cargo.TIMESTAMP_CODE).array();
        return bytes.length == 0
                ? VectorTimestamp.zero(NODES)
                : VectorTimestamp.decode(new ByteReader(bytes));
    }

    @Override
    public void onArrival(BarrierId barrier, Cargo arrival) {
        arrivals.add(label(arrival) + " at " + barrier);
    }

    @Override
    public SortedMap<NodeId, Cargo> onBarrierComplete(
            BarrierId barrier, Set<NodeId> nodes, Effects out) {
        TreeMap<NodeId, Cargo> departures = new TreeMap<>();
        nodes.forEach(node -> departures.put(node, labelled("departure")));
        return departures;
    }
}
