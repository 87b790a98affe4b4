package io.muninn.verify.check;

import io.muninn.model.BarrierId;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A barrier falls only when all its parties have arrived, and it falls for all of them: if one
 * thread of a generation has departed, the others depart, too, and do not leave because of a
 * timeout or a broken barrier. The only exception is the loss of a node.
 */
final class BarrierFalls implements Checker {
    static final String NAME = "barriers";

    private final Generations generations = new Generations();
    private final Map<BarrierId, Integer> parties = new TreeMap<>(); // of the last arrival

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onArrive(SimThread thread, BarrierId barrier, int count) {
        parties.put(barrier, count);
        generations.arrive(thread, barrier, count);
    }

    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        int arrived = generations.arrived(barrier);
        Optional<Generations.Generation> generation = generations.depart(thread, barrier);
        if (generation.isEmpty()) {
            throw violation(
                    thread
                            + " departs from barrier '"
                            + barrier
                            + "', at which "
                            + arrived
                            + " threads wait, of "
                            + parties.getOrDefault(barrier, 0)
                            + " parties");
        }
    }

    @Override
    public void onBarrierLeft(SimThread thread, BarrierId barrier) {
        if (thread.node().simulation().lost().isPresent()) {
            return; // the barrier may have fallen for others, which are not notified yet
        }
        if (!generations.leave(thread, barrier)) {
            throw violation(
                    thread
                            + " is told that barrier '"
                            + barrier
                            + "' does not fall, but it fell for others of its generation");
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        if (simulation.lost().isEmpty() && !generations.unfinished().isEmpty()) {
            throw violation("not everybody has departed: " + generations.unfinished());
        }
    }
}
