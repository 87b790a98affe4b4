package io.muninn.sim;

import io.muninn.model.NodeId;
import io.muninn.sim.delay.RandomDelays;
import java.util.BitSet;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/**
 * The disruptions of one run, drawn from a seed: links that are clogged for a while, nodes that
 * pause as in a long garbage collection, timers that fire late, nodes that dial each other twice,
 * in runs that ask for it connections that are cut, and in some runs a node that dies. Each run
 * draws the kinds and the number of its disruptions.
 *
 * <p>All disruptions except a death end at a drawn time, when the cluster <i>heals</i>; from then
 * on the run has only its delays, and must finish within bounded time.
 */
public final class Disruptions implements Consumer<Simulation> {
    private static final int CLOGS_MAX = 12;
    private static final int PAUSES_MAX = 4;
    private static final int HEAL_USUAL_MIN = 4;
    private static final int HEAL_USUAL_MAX = 400;
    private static final int RUNS = 8;
    private static final int LATE_NANOS_MAX = 2_000_000;
    private static final int STANDING_LINKS_MAX = 3;
    private static final int STANDING_USUAL_MAX = 100;
    private static final int MOVING_USUAL_MAX = 20;
    private static final int STANDING_END_USUAL = 2_000;

    private final Random random;
    private final RandomDelays delays;
    private final long healNanos;
    private final boolean join;
    private final boolean dialTwice;
    private final int clogs;
    private final int pauses;
    private final boolean late;
    private final boolean death;
    private final boolean linksStand;
    private Optional<Cuts> cuts = Optional.empty();

    /**
     * @param random draws this run's disruptions
     * @param mayKill whether a node dies in one run of eight
     */
    public Disruptions(Random random, RandomDelays delays, boolean mayKill) {
        this(random, delays, mayKill ? 1 : 0, false);
    }

    /**
     * @param random draws this run's disruptions
     * @param deaths the number of runs in which a node dies, of eight runs
     * @param linksStand whether a few links are clogged most of the time, so that messages on other
     *     links overtake theirs
     */
    public Disruptions(Random random, RandomDelays delays, int deaths, boolean linksStand) {
        this.random = random;
        this.delays = delays;
        healNanos =
                RandomDelays.logUniform(random, HEAL_USUAL_MIN, HEAL_USUAL_MAX)
                        * delays.usualNanos();
        join = random.nextBoolean();
        dialTwice = random.nextBoolean();
        clogs = random.nextBoolean() ? random.nextInt(1 + CLOGS_MAX) : 0;
        pauses = random.nextBoolean() ? random.nextInt(1 + PAUSES_MAX) : 0;
        late = random.nextInt(3) == 0;
        death = random.nextInt(RUNS) < deaths;
        this.linksStand = linksStand;
    }

    /**
     * Cuts connections, too, which are made again.
     *
     * @param drawn draws the cuts, so that they change no other disruption
     */
    public void cutLinks(Random drawn) {
        cuts = Optional.of(new Cuts(drawn, delays, healNanos));
    }

    /** Time from the start of the program to the end of all disruptions. */
    public long healNanos() {
        long others = linksStand ? Math.max(healNanos, standingEndNanos()) : healNanos;
        return Math.max(others, cuts.map(Cuts::healNanos).orElse(0L));
    }

    private long standingEndNanos() {
        return STANDING_END_USUAL * delays.usualNanos();
    }

    /** Plans all disruptions, starting now. */
    @Override
    public void accept(Simulation simulation) {
        if (join) {
            simulation.join(pairsThatDialTwice(simulation.nodes().size()));
        }
        for (int i = 0; i < clogs; i++) {
            planClog(simulation);
        }
        for (int i = 0; i < pauses; i++) {
            planPause(simulation);
        }
        if (late) {
            delays.timersLate(1 + random.nextInt(LATE_NANOS_MAX));
            simulation.after(healNanos, () -> delays.timersLate(0));
        }
        if (death) {
            NodeId victim = anyNode(simulation);
            simulation.after(anyDelay(), () -> simulation.kill(victim));
        }
        for (int i = linksStand ? random.nextInt(STANDING_LINKS_MAX) : -1; i >= 0; i--) {
            int nodes = simulation.nodes().size();
            int from = random.nextInt(nodes);
            int to = (from + 1 + random.nextInt(nodes - 1)) % nodes;
            letStand(simulation, from, to, simulation.nowNanos() + standingEndNanos());
        }
        cuts.ifPresent(planned -> planned.accept(simulation));
    }

    /** Opens a link for a while, clogs it for longer, and so on. */
    private void letStand(Simulation simulation, int from, int to, long endNanos) {
        long usualNanos = delays.usualNanos();
        long moves = RandomDelays.logUniform(random, 1, MOVING_USUAL_MAX * usualNanos);
        long stands = RandomDelays.logUniform(random, usualNanos, STANDING_USUAL_MAX * usualNanos);
        simulation.after(
                moves,
                () -> {
                    long until = Math.min(endNanos, simulation.nowNanos() + stands);
                    if (simulation.nowNanos() < until) {
                        simulation.clog(from, to, until);
                        simulation.at(until, () -> letStand(simulation, from, to, endNanos));
                    }
                });
    }

    private BitSet pairsThatDialTwice(int nodes) {
        BitSet pairs = new BitSet();
        for (int i = 0; dialTwice && i < nodes * (nodes - 1) / 2; i++) {
            pairs.set(i, random.nextBoolean());
        }
        return pairs;
    }

    private void planClog(Simulation simulation) {
        int from = random.nextInt(simulation.nodes().size());
        int to = random.nextInt(simulation.nodes().size());
        long begin = anyDelay();
        long end = simulation.nowNanos() + anyDelayAfter(begin);
        simulation.after(begin, () -> simulation.clog(from, to, end));
    }

    private void planPause(Simulation simulation) {
        NodeId node = anyNode(simulation);
        long begin = anyDelay();
        long end = simulation.nowNanos() + anyDelayAfter(begin);
        simulation.after(begin, () -> simulation.pause(node, end));
    }

    private NodeId anyNode(Simulation simulation) {
        return NodeId.of(random.nextInt(simulation.nodes().size()));
    }

    private long anyDelay() {
        return random.nextLong(healNanos);
    }

    /** Draws a time, often soon after {@code begin}, never after the heal. */
    private long anyDelayAfter(long begin) {
        return begin + RandomDelays.logUniform(random, 1, healNanos - begin);
    }
}
