package io.muninn.verify.program;

import io.muninn.api.DoubleAt;
import io.muninn.api.Protocol;
import io.muninn.api.Reduction;
import io.muninn.api.Reduction.Operator;
import io.muninn.api.reduction.Combination;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Generates a random program whose threads reduce at barriers.
 *
 * <ul>
 *   <li>All threads, or always the same few, contribute in each round: to sums of doubles of very
 *       different size, whose results depend on the order; to the place of the minimum; or to a
 *       combination by the application. Some rounds have no contributions.
 *   <li>One thread waits for all others before it arrives.
 *   <li>Threads arrive at a barrier of a few parties, each any number of times, and are combined in
 *       any way.
 *   <li>As in {@link BreakingBarriers}, a barrier breaks: because a thread contributes to another
 *       reduction or to none, or its wait has a short limit.
 *   <li>Stores in between, so that arrivals flush updates, and are sent at any time.
 * </ul>
 */
final class Reducing {
    private static final int THREADS_MAX = 3;
    private static final int ROUNDS_MIN = 6;
    private static final int ROUNDS_MAX = 24;
    private static final int KINDS = 9;
    private static final int BREAKING = 3; // the first of the breaking kinds
    private static final int VISITS_MAX = 4;
    private static final int LENGTH_MAX = 5;
    private static final int WORK_NANOS_MAX = 200_000;
    private static final int SHORT_NANOS_MAX = 300_000;
    private static final long LONG_NANOS = 1_000_000_000;
    private static final int EXPONENT_MAX = 60;
    private static final LockId LOCK = new LockId("lock");

    private static final Combination LISTED = Combination.ofApplication("listed");
    private static final Reduction<Double> SUM = Reduction.ofDouble(Operator.SUM);
    private static final Reduction<double[]> SUMS = Reduction.ofDoubles(Operator.SUM);
    private static final Reduction<DoubleAt> LEAST = Reduction.ofDoubleAt(Operator.MIN);

    private final Random random;
    private final int nodes;
    private final int threads;
    private final Protocol protocol;
    private final Scripts scripts;
    private byte serial;

    private Reducing(long seed, Protocol protocol, int nodes) {
        random = new Random(seed);
        this.protocol = protocol;
        this.nodes = nodes;
        threads = 1 + random.nextInt(THREADS_MAX);
        scripts = new Scripts(nodes * threads);
    }

    /**
     * @param protocol of its region
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, Protocol protocol, int nodes, long holdNanos) {
        return new Reducing(seed, protocol, nodes).write(holdNanos);
    }

    private Program write(long holdNanos) {
        boolean mayBreak = protocol == BreakingBarriers.PROTOCOL;
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        List<Integer> few = some();
        for (int i = 0; i < rounds; i++) {
            switch (mayBreak
                    ? random.nextInt(KINDS)
                    : BREAKING + random.nextInt(KINDS - BREAKING)) {
                case 0 -> strangers(new BarrierId("any" + i));
                case 1 -> differ(new BarrierId("wrong" + i));
                case 2 -> late(new BarrierId("late" + i));
                case 3, 4 -> reduce(GroupBarrier.of("few", few), few);
                case 5 -> gather(random.nextBoolean() ? few : everyone());
                default -> reduce(new BarrierId("all"), everyone());
            }
        }
        return new Program(nodes, threads, holdNanos, List.of(region()), List.of(), scripts.all());
    }

    private List<Integer> everyone() {
        return IntStream.range(0, nodes * threads).boxed().toList();
    }

    private List<Integer> some() {
        List<Integer> group = new ArrayList<>(everyone());
        Collections.shuffle(group, random);
        group = new ArrayList<>(group.subList(0, 1 + random.nextInt(group.size())));
        Collections.sort(group);
        return group;
    }

    private int parties(List<Integer> group) {
        boolean areAll = group.size() == nodes * threads;
        return areAll && random.nextInt(4) > 0 ? Event.ALL_PARTIES : group.size();
    }

    private void reduce(BarrierId barrier, List<Integer> group) {
        int kind = random.nextInt(6);
        int length = random.nextInt(LENGTH_MAX);
        int unit = scripts.beginUnit();
        for (int thread : group) {
            store(thread);
            scripts.add(
                    unit,
                    thread,
                    new Op.Await(
                            barrier,
                            parties(group),
                            Op.FOR_EVER,
                            contribution(kind, length, thread)));
        }
    }

    /** One thread waits for all others, and runs alone then; they receive its contribution. */
    private void gather(List<Integer> group) {
        BarrierId barrier = GroupBarrier.of("gathering", group);
        int parties = parties(group);
        int gatherer = group.get(random.nextInt(group.size()));
        int unit = scripts.beginUnit();
        for (int thread : group) {
            store(thread);
            if (thread == gatherer) {
                scripts.add(unit, thread, new Op.Gather(barrier, parties, false));
                store(thread);
            }
            scripts.add(unit, thread, new Op.Await(barrier, parties, Op.FOR_EVER, listed(thread)));
        }
    }

    private Bytes contribution(int kind, int length, int thread) {
        return switch (kind) {
            case 0 -> Bytes.EMPTY;
            case 1 -> listed(thread);
            case 2 -> encoded(LEAST, new DoubleAt(random.nextInt(3) - 1, random.nextInt(4)));
            case 3 -> encoded(SUMS, random.doubles(length).map(this::scaled).toArray());
            case 4 -> encoded(SUM.reproducible(), scaled(random.nextDouble()));
            default -> encoded(SUM, scaled(random.nextDouble()));
        };
    }

    /**
     * Scales a value to any size and sign, so that sums in different orders have different bits.
     */
    private double scaled(double value) {
        double size = Math.scalb(value, random.nextInt(EXPONENT_MAX));
        return random.nextBoolean() ? size : -size;
    }

    private <T> Bytes encoded(Reduction<T> reduction, T value) {
        return new Bytes(reduction.encode(value, nodes * threads));
    }

    /** The thread's position, and then a number that makes the contribution unique. */
    private Bytes listed(int thread) {
        byte[] value = {(byte) thread, ++serial};
        return new Bytes(new Contribution(LISTED, value).encode());
    }

    private void strangers(BarrierId barrier) {
        int parties = 1 + random.nextInt(nodes * threads);
        for (int thread : everyone()) {
            for (int visits = random.nextInt(VISITS_MAX + 1); visits > 0; visits--) {
                int unit = store(thread);
                long timeoutNanos = RandomDelays.logUniform(random, 1000, 10 * SHORT_NANOS_MAX);
                scripts.add(
                        unit, thread, new Op.Await(barrier, parties, timeoutNanos, listed(thread)));
            }
        }
    }

    private void differ(BarrierId barrier) {
        List<Integer> group = everyone();
        int other = random.nextInt(group.size());
        int kind = random.nextInt(6);
        int otherKind = (kind + 1 + random.nextInt(5)) % 6;
        int parties = parties(group);
        int unit = scripts.beginUnit();
        for (int thread : group) {
            store(thread);
            Bytes mine = contribution(thread == other ? otherKind : kind, 2, thread);
            scripts.add(unit, thread, new Op.Await(barrier, parties, Op.UNTIL_BROKEN, mine));
        }
    }

    private void late(BarrierId barrier) {
        int kind = 1 + random.nextInt(5);
        int unit = scripts.beginUnit();
        for (int thread : everyone()) {
            store(thread);
            boolean isShort = random.nextInt(nodes * threads) == 0;
            long timeoutNanos = isShort ? random.nextInt(SHORT_NANOS_MAX) : LONG_NANOS;
            scripts.add(
                    unit,
                    thread,
                    new Op.Await(
                            barrier,
                            Event.ALL_PARTIES,
                            timeoutNanos,
                            contribution(kind, 2, thread)));
        }
    }

    private int store(int thread) {
        int unit = scripts.beginUnit();
        if (random.nextBoolean()) {
            long nanos = RandomDelays.logUniform(random, 1, WORK_NANOS_MAX);
            scripts.add(unit, thread, new Op.Work(nanos));
        }
        if (random.nextInt(3) == 0) {
            Variable word = new Variable(new PageId(0, 0), thread * Long.BYTES, Long.BYTES);
            scripts.add(unit, thread, new Op.Acquire(LOCK, Op.FOR_EVER));
            scripts.add(unit, thread, new Op.Store(word, random.nextInt()));
            scripts.add(unit, thread, new Op.Release(LOCK));
        }
        return unit;
    }

    private RegionSpec region() {
        return new RegionSpec(
                0, "words", protocol, 0, RegionSpec.MACHINE_PAGE_BYTES, Long.BYTES, 1, List.of());
    }
}
