package io.muninn.sim.check;

import io.muninn.sim.Observer;
import java.util.List;

/**
 * All checkers, for one run.
 *
 * <p>Besides these the machine itself finds what no protocol may rely on: see {@link
 * io.muninn.sim.SimPages}, and {@link io.muninn.sim.Simulation#run} for threads that wait for ever.
 */
public final class Checkers {
    private Checkers() {}

    /**
     * A set of checkers that have seen nothing yet.
     *
     * @param coverage counts the cells that the run meets, with those of other runs
     */
    public static List<Observer> all(Coverage coverage) {
        HappensBefore order = new HappensBefore();
        return List.of(
                coverage.observer(),
                new Tokens(),
                new ServedImages(),
                new PageChecks(
                        List.of(new OneWriter(), new Copysets(), new OwnerChains(), new Rights())),
                new TimelyFlush(),
                new WitnessOrder(),
                order,
                new ReleaseConsistency(order));
    }
}
