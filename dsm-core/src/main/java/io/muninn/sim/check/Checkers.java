package io.muninn.sim.check;

import io.muninn.sim.Observer;
import java.util.List;

/** The checkers of a run. */
public final class Checkers {
    private Checkers() {}

    /** A fresh set for one run, in the order in which they are to be told. */
    public static List<Observer> all() {
        Overview overview = new Overview();
        OneMemory memory = new OneMemory(overview);
        VectorTimestamps timestamps = new VectorTimestamps();
        Stores stores = new Stores(overview, timestamps);
        return List.of(
                overview,
                memory,
                timestamps,
                stores,
                new OneWriter(overview),
                new Copysets(overview),
                new ProbableOwners(overview),
                new Twins(overview),
                new ServedImages(),
                new Tokens(),
                new Barriers(),
                new WitnessOrder(overview, memory),
                new ReleaseConsistency(overview, timestamps, stores),
                new MemoryOracle(overview, memory, stores));
    }
}
