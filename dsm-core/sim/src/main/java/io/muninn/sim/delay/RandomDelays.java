package io.muninn.sim.delay;

import io.muninn.model.NodeId;
import java.util.BitSet;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Delays of one run, drawn from a seed. First the distribution of each kind of delay is drawn: the
 * latency of messages is between tens of nanoseconds and hundreds of microseconds. Then each delay
 * is drawn from its distribution. So runs differ more than with a single distribution.
 *
 * <p>Each kind of delay, and each link, draws from a sequence of its own: a program from which one
 * operation was removed keeps most of its schedule, as a shrinker needs it.
 *
 * <p><b>Many nodes.</b> On more nodes than a live run has, a link's distribution is drawn when the
 * link is first used.
 *
 * <p><b>Threads.</b> One at a time.
 */
public final class RandomDelays implements Delays {
    private static final long LATENCY_NANOS_MIN = 30;
    private static final long LATENCY_NANOS_MAX = 300_000;
    private static final long TAIL_NANOS_MAX = 2_000_000;
    private static final long BYTE_PICOS_MAX = 1_000;
    private static final long PAGE_BYTE_PICOS_MAX = 200;
    private static final int TAIL_HALVINGS = 8;
    private static final int SLOW_NODE_FACTOR = 16;
    private static final int IN_STEP_LAST_ONE_IN = 6;

    /** One kind of delay: a base, a uniform jitter, and sometimes a tail many times as long. */
    private static final class Spread {
        private static final int JITTERS = 4;

        private final Random random;
        private final long baseNanos;
        private final int jitterNanos;
        private final int tailOneIn; // 0 for never
        private final long tailNanos;

        Spread(Random character, Random sequences, long baseNanos) {
            this.random = new Random(sequences.nextLong());
            this.baseNanos = baseNanos;
            this.jitterNanos =
                    (int) (baseNanos * character.nextInt(JITTERS) / (1 + character.nextInt(2)));
            this.tailOneIn = character.nextInt(3) == 0 ? 4 << character.nextInt(8) : 0;
            this.tailNanos = Math.min(baseNanos * (2 + character.nextInt(60)), TAIL_NANOS_MAX);
        }

        /** The longest delay of any distribution with this base or a smaller one. */
        static long nanosMax(long baseNanos) {
            return JITTERS * baseNanos + TAIL_NANOS_MAX;
        }

        long next() {
            long delay = baseNanos + random.nextInt(1 + jitterNanos);
            if (tailOneIn > 0 && random.nextInt(tailOneIn) == 0) {
                delay += tailNanos >> random.nextInt(TAIL_HALVINGS);
            }
            return delay;
        }

        /** The longest delay without a tail. */
        long usualNanosMax() {
            return baseNanos + jitterNanos;
        }

        long nanosMax() {
            return usualNanosMax() + (tailOneIn > 0 ? tailNanos : 0);
        }
    }

    private static final long ENTRY_SEED = 0x5EED;
    private static final long LINK_SEED_STEP = 0x9E3779B97F4A7C15L;

    private final int nodes;
    private final @Nullable Spread[] links; // by sender and receiver; null until it is used
    private final long latencyNanos;
    private final boolean alike;
    private final long linksSeed; // of links that are drawn later
    private final Spread[] steps;
    private final Spread trap;
    private final Spread wake;
    private final Spread call;
    private final Spread timer;
    private final Spread withdrawal;
    private final Spread operation;
    private final Spread loss;
    private final long bytePicos;
    private final long pageBytePicos;
    private final Random lateness;
    private final BitSet trapping = new BitSet(); // nodes whose traps make twins
    private final int inTrapOneIn;
    private final Random inTrap;
    private final Random inStep;
    private final Random atOnce;
    private final Random entry;
    private final boolean namesThreads;
    private int latenessNanosMax;

    /**
     * @param random draws the distributions
     * @param sequences draws the seeds of the delays' sequences
     */
    public RandomDelays(Random random, Random sequences, int nodes) {
        this.nodes = nodes;
        latencyNanos = logUniform(random, LATENCY_NANOS_MIN, LATENCY_NANOS_MAX);
        alike = random.nextBoolean();
        links = new Spread[nodes * nodes];
        boolean areFew = nodes <= NodeId.LIVE_MAX;
        linksSeed = areFew ? 0 : sequences.nextLong();
        for (int i = 0; areFew && i < links.length; i++) {
            links[i] = link(random, sequences);
        }
        long stepNanos = logUniform(random, 10, 20_000);
        boolean oneIsSlow = random.nextInt(4) == 0;
        int slow = random.nextInt(nodes);
        steps = new Spread[nodes];
        for (int i = 0; i < nodes; i++) {
            boolean isSlow = oneIsSlow && i == slow;
            steps[i] =
                    new Spread(
                            random, sequences, isSlow ? stepNanos * SLOW_NODE_FACTOR : stepNanos);
        }
        trap = new Spread(random, sequences, logUniform(random, 30, 100_000));
        wake = new Spread(random, sequences, logUniform(random, 30, 100_000));
        call = new Spread(random, sequences, logUniform(random, 30, 100_000));
        timer = new Spread(random, sequences, logUniform(random, 1, 500_000));
        withdrawal = new Spread(random, sequences, logUniform(random, 30, 100_000));
        operation = new Spread(random, sequences, logUniform(random, 5, 50_000));
        loss = new Spread(random, sequences, logUniform(random, 1_000, 2_000_000));
        bytePicos = random.nextBoolean() ? 0 : logUniform(random, 1, BYTE_PICOS_MAX);
        pageBytePicos = random.nextBoolean() ? 0 : logUniform(random, 1, PAGE_BYTE_PICOS_MAX);
        lateness = new Random(sequences.nextLong());
        boolean mayTrap = random.nextBoolean();
        for (int i = 0; i < nodes; i++) {
            trapping.set(i, random.nextBoolean() && mayTrap);
        }
        inTrapOneIn = 2 << random.nextInt(8);
        inTrap = new Random(sequences.nextLong());
        long last = sequences.nextLong();
        inStep = new Random(last);
        atOnce = new Random(~last); // another draw would change the runs of known seeds
        entry = new Random(last ^ ENTRY_SEED);
        namesThreads = last % 2 == 0;
    }

    private Spread link(Random random, Random sequences) {
        long baseNanos =
                alike ? latencyNanos : logUniform(random, LATENCY_NANOS_MIN, baseNanosMax());
        return new Spread(random, sequences, baseNanos);
    }

    private long baseNanosMax() {
        return alike ? latencyNanos : 4 * latencyNanos;
    }

    private Spread link(int from, int to) {
        int number = from * nodes + to;
        Spread link = links[number];
        if (link == null) {
            Random own = new Random(linksSeed + number * LINK_SEED_STEP);
            link = link(own, own);
            links[number] = link;
        }
        return link;
    }

    /** Draws a number whose logarithm is uniformly distributed. */
    public static long logUniform(Random random, long min, long max) {
        return (long) (min * StrictMath.pow((double) max / min, random.nextDouble()));
    }

    /** The longest wake-up, the rare long ones included. */
    public long wakeNanosMax() {
        return wake.nanosMax();
    }

    /** The longest wake-up, except the rare long ones. */
    public long usualWakeNanosMax() {
        return wake.usualNanosMax();
    }

    /**
     * The longest delay of a single message, step, trap, wake-up, call, timer or operation, with a
     * page of this many bytes.
     */
    public long nanosMax(int bytes) {
        long longest = nodes > NodeId.LIVE_MAX ? Spread.nanosMax(baseNanosMax()) : 0;
        for (Spread step : steps) {
            longest = Math.max(longest, step.nanosMax());
        }
        for (Spread link : links) {
            longest = Math.max(longest, link == null ? 0 : link.nanosMax());
        }
        for (Spread each : new Spread[] {trap, wake, call, timer, withdrawal, operation, loss}) {
            longest = Math.max(longest, each.nanosMax());
        }
        return longest + transfer(bytes) + pageBytes(bytes);
    }

    /** The approximate duration of an operation that needs another node. */
    public long usualNanos() {
        long there = link(0, nodes - 1).baseNanos + steps[0].baseNanos;
        return trap.baseNanos + wake.baseNanos + call.baseNanos + operation.baseNanos + 2 * there;
    }

    /** Adds up to this delay to every timer from now on. */
    public void timersLate(int nanosMax) {
        latenessNanosMax = nanosMax;
    }

    @Override
    public long message(int from, int to, int bytes) {
        return link(from, to).next() + transfer(bytes);
    }

    @Override
    public long transfer(int bytes) {
        return MachineModel.nanos(bytes, bytePicos);
    }

    @Override
    public long step(int node) {
        return steps[node].next();
    }

    @Override
    public long pageBytes(int bytes) {
        return MachineModel.nanos(bytes, pageBytePicos);
    }

    @Override
    public long trap() {
        return trap.next();
    }

    @Override
    public long wake() {
        return wake.next();
    }

    @Override
    public long call() {
        return call.next();
    }

    @Override
    public long timer() {
        return timer.next() + lateness.nextInt(1 + latenessNanosMax);
    }

    @Override
    public long withdrawal() {
        return withdrawal.next();
    }

    @Override
    public boolean withdrawsAtOnce(int pages) {
        return pages <= AT_ONCE_PAGES_MAX && atOnce.nextBoolean();
    }

    @Override
    public long operation() {
        return operation.next();
    }

    @Override
    public long loss() {
        return loss.next();
    }

    @Override
    public boolean trapsMakeTwins(int node) {
        return trapping.get(node);
    }

    /**
     * False, as live, where agents do not know when a thread has run. Delays vary, so no schedule
     * repeats for ever.
     */
    @Override
    public boolean keepsPagesOfWaking() {
        return false;
    }

    @Override
    public boolean namesThreads() {
        return namesThreads;
    }

    @Override
    public boolean isInTrap() {
        return inTrap.nextInt(inTrapOneIn) == 0;
    }

    @Override
    public boolean isEntryLong() {
        return entry.nextBoolean();
    }

    @Override
    public boolean goesOnInStep(int node) {
        return trapping.get(node) && inStep.nextInt(IN_STEP_LAST_ONE_IN) > 0;
    }
}
