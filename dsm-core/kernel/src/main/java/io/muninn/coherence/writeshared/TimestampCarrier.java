package io.muninn.coherence.writeshared;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
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
    public final void onAcquired(LockId lock, Bytes grant, Effects out) {
        races.learn(grant, () -> "lock '" + lock + "'");
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
    public final void onBarrierDepart(BarrierId barrier, Bytes departure, Effects out) {
        races.learn(departure, () -> "barrier '" + barrier + "'");
    }

    @Override
    public final Bytes onCallLeaves(NodeId to, Effects out) {
        return races.known();
    }

    @Override
    public final void onCallArrived(NodeId from, Bytes cargo, Effects out) {
        races.learn(cargo, () -> "a call with node " + from);
    }

    @Override
    public final void onRacesFound(Event.RacesFound found, Effects out) {
        races.onFound(found, out);
    }
}
