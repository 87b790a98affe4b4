package io.muninn.launch.paper;

import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.protocol.Counter;
import io.muninn.protocol.Meetings;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.wire.Message;

/** Counts what happens in the parallel part of one run, which is what the papers count. */
final class Meter implements Observer {
    private static final double NANOS = 1e9;

    private final CostModel model;
    private final long[] atStart = new long[Counter.values().length];
    private final long[] spent = new long[Counter.values().length];
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
    public void onMessage(SimNode from, NodeId to, Message message, int length) {
        if (isOn) {
            messages++;
            packets += model.packets(length);
            bytes += length;
        }
    }

    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        if (isOn && barrier.equals(Meetings.END)) {
            isOn = false;
            count(thread.node().simulation(), spent);
        }
    }

    private static void count(Simulation simulation, long[] into) {
        for (Counter counter : Counter.values()) {
            long sum = 0;
            for (SimNode node : simulation.nodes()) {
                sum += node.count(counter);
            }
            into[counter.code()] = sum;
        }
    }

    /** What was counted, of a run that has ended well. */
    Measured measured(double seconds) {
        return new Measured(
                seconds,
                messages,
                packets,
                bytes,
                spent(Counter.READ_FAULTS) + spent(Counter.WRITE_FAULTS),
                spent(Counter.FAULT_NANOS) / NANOS,
                spent(Counter.LOCK_NANOS) / NANOS,
                spent(Counter.CONDITION_NANOS) / NANOS,
                spent(Counter.CALL_NANOS) / NANOS,
                spent(Counter.BARRIER_NANOS) / NANOS,
                spent(Counter.RECEIVE_NANOS) / NANOS);
    }

    private long spent(Counter counter) {
        return spent[counter.code()] - atStart[counter.code()];
    }
}
