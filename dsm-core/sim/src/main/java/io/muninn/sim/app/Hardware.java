package io.muninn.sim.app;

import io.muninn.sim.SimThread;
import io.muninn.sim.machine.NodeMachine;
import io.muninn.sim.machine.ProcessorCaches;
import io.muninn.sim.machine.SmpMachine;
import io.muninn.sim.machine.SmpModel;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The processor of an application thread: its caches, and the memory bus of its node, which it
 * books once per quantum.
 */
final class Hardware {
    private final SimThread thread;
    private final SmpModel model;
    private final NodeMachine node;
    private final ProcessorCaches caches;
    private long stallPicos; // that has not been taken

    private Hardware(SimThread thread, SmpMachine machine) {
        this.thread = thread;
        model = machine.model();
        node = machine.node(thread.node().id().index());
        caches = node.caches(thread.id().thread());
    }

    /** The processor of a thread of the program; null for others and without a model. */
    static @Nullable Hardware of(SimThread thread) {
        Optional<SmpMachine> machine = thread.node().simulation().machine();
        boolean isOfProgram = thread.id().thread() < thread.node().threads().size();
        return machine.isPresent() && isOfProgram ? new Hardware(thread, machine.get()) : null;
    }

    void compute(long picos) {
        caches.compute(picos / model.cyclePicos());
    }

    void access(long address, long bytes, boolean isStore) {
        stallPicos += caches.access(address, bytes, isStore) * model.cyclePicos();
    }

    /** The stalls of accesses that have not been taken. */
    long stallPicos() {
        return stallPicos;
    }

    /**
     * Books the memory bus for all accesses since the last call, and takes their stalls.
     *
     * @param computeNanos for which the thread has computed since then
     */
    long takeStallNanos(long computeNanos) {
        thread.node().updates().ifPresent(updates -> updates.close(thread));
        long fromPicos = thread.node().simulation().nowNanos() * SmpModel.NANO;
        long untilPicos = fromPicos + computeNanos * SmpModel.NANO + stallPicos;
        long busPicos = caches.takeBusPicos();
        if (busPicos > 0) {
            stallPicos +=
                    node.memoryBus()
                            .bookSpread(thread.id().thread(), fromPicos, untilPicos, busPicos);
        }
        long nanos = stallPicos / SmpModel.NANO;
        stallPicos %= SmpModel.NANO;
        return nanos;
    }

    long localLockNanos() {
        return model.nanos(model.handlers().localLockCycles());
    }
}
