package io.muninn.bench.paper;

import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ReservedBarriers;
import io.muninn.wire.WireMessage;

/** Counts what happens in the parallel part of one run, which is what the papers count. */
final class Meter implements Observer {
    private static final double NANOS = 1e9;

    private final CostModel model;
    private final long[] atStart = new long[NodeCounter.values().length];
    private final long[] spent = new long[NodeCounter.values().length];
    private boolean isOn;
    private long messages;
    private long packets;
    private long bytes;

    Meter(CostModel model) {
        this.model = model;
    }

    @Override
    public void onInitialized(SimThread root) {
        count(root.node().simulation(), atStart);
        isOn = true;
    }

    @Override
    public void onMessage(SimNode from, NodeId to, WireMessage message, int length) {
        if (isOn) {
            messages++;
            packets += model.packets(length);
            bytes += length;
        }
    }

    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        if (isOn && barrier.equals(ReservedBarriers.END)) {
            isOn = false;
            count(thread.node().simulation(), spent);
        }
    }

    private static void count(Simulation simulation, long[] into) {
        for (NodeCounter counter : NodeCounter.values()) {
            long sum = 0;
            for (SimNode node : simulation.nodes()) {
                sum += node.count(counter);
            }
            into[counter.code()] = sum;
        }
    }

    /** What was counted, of a run that has ended well. */
    SimulatedTimes measured(double seconds) {
        return new SimulatedTimes(
                seconds,
                messages,
                packets,
                bytes,
                spent(NodeCounter.READ_FAULTS) + spent(NodeCounter.WRITE_FAULTS),
                spent(NodeCounter.FAULT_NANOS) / NANOS,
                spent(NodeCounter.LOCK_NANOS) / NANOS,
                spent(NodeCounter.CONDITION_NANOS) / NANOS,
                spent(NodeCounter.CALL_NANOS) / NANOS,
                spent(NodeCounter.BARRIER_NANOS) / NANOS,
                spent(NodeCounter.RECEIVE_NANOS) / NANOS);
    }

    private long spent(NodeCounter counter) {
        return spent[counter.code()] - atStart[counter.code()];
    }
}
