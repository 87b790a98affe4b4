package io.muninn.coherence.writeshared;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.ProtocolMessage;
import java.util.Map;
import java.util.Set;

/**
 * A protocol whose cargo is what its node knows of the intervals of others, in runs that look for
 * races; in others there is none.
 */
abstract class TimestampCarrier<M extends ProtocolMessage> implements CoherenceProtocol<M> {
    final RaceChecks races;

    TimestampCarrier(RaceChecks races) {
        this.races = races;
    }

    @Override
    public final Bytes onGrant(LockId lock, NodeId to, Bytes request, Effects out) {
        return races.known();
    }

    @Override
    public final Bytes onBarrierArrive(BarrierId barrier, Effects out) {
        return races.known();
    }

    @Override
    public final void onArrivalDeposited(BarrierId barrier, NodeId from, Bytes cargo) {
        races.deposit(barrier, cargo);
    }

    @Override
    public final Map<NodeId, Bytes> onBarrierComplete(BarrierId barrier, Set<NodeId> nodes) {
        return races.joined(barrier, nodes);
    }

    @Override
    public final Bytes onSend(NodeId to, Effects out) {
        return races.known();
    }

    @Override
    public final void onAcquire(GatedAcquire acquire, Bytes cargo, Effects out) {
        races.onAcquire(acquire, cargo);
        out.acquirePerformed(acquire);
    }

    @Override
    public final void onRacesFound(Event.RacesFound found, Effects out) {
        races.onFound(found, out);
    }
}
