package io.muninn.sim;

import io.muninn.sim.delay.RandomDelays;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Cuts of the connections of one run, drawn from a seed. They are made again, so no message is
 * lost.
 */
final class Cuts implements Consumer<Simulation> {
    private static final int CUTS_MAX = 24;
    private static final int REDIAL_ONE_IN = 4;
    private static final int PARTS_USUAL_MAX = 8;

    /** Delays until the last connection is made again. */
    private static final int HEAL_DELAYS = 64;

    private final Random random;
    private final RandomDelays delays;
    private final long untilNanos;

    /**
     * @param untilNanos time in which connections are cut, from the start of the program
     */
    Cuts(Random random, RandomDelays delays, long untilNanos) {
        this.random = random;
        this.delays = delays;
        this.untilNanos = untilNanos;
    }

    /** Time from the start of the program until all connections are made again. */
    long healNanos() {
        return untilNanos + HEAL_DELAYS * (delays.nanosMax(0) + PARTS_USUAL_MAX * usualNanos());
    }

    private long usualNanos() {
        return Math.max(1, delays.usualNanos());
    }

    /** Plans all cuts, starting now. */
    @Override
    public void accept(Simulation simulation) {
        long most = RandomDelays.logUniform(random, 1, PARTS_USUAL_MAX * usualNanos());
        Random parts = new Random(random.nextLong());
        LastingLinks links = new LastingLinks(simulation, parts, Math.toIntExact(1 + most));
        simulation.wires().outlast(links);
        simulation.after(untilNanos, links::endBatches);
        int nodes = simulation.nodes().size();
        for (int i = nodes < 2 ? 0 : 1 + random.nextInt(CUTS_MAX); i > 0; i--) {
            int one = random.nextInt(nodes);
            int other = (one + 1 + random.nextInt(nodes - 1)) % nodes;
            boolean isRedial = random.nextInt(REDIAL_ONE_IN) == 0;
            simulation.after(
                    random.nextLong(untilNanos),
                    () -> {
                        if (isRedial) {
                            links.redial(one, other);
                        } else {
                            links.cut(one, other);
                        }
                    });
        }
    }
}
