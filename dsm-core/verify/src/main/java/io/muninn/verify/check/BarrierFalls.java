package io.muninn.verify.check;

import io.muninn.model.BarrierId;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A barrier falls when all its parties have arrived, not before; and it falls for all of them: who
 * is of a generation of which one has departed departs, too, and does not leave by a timeout or a
 * broken barrier. Only a lost node ends a wait otherwise.
 */
final class BarrierFalls implements Checker {
    static final String NAME = "barriers";

    private final Generations generations = new Generations();
    private final Map<BarrierId, Integer> parties = new TreeMap<>(); // as the last to arrive said

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
            return; // the barrier may have fallen for others, who have not heard of it yet
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
