package io.muninn.apps;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.Team;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * Repeats a computation in the same processes, so that all repetitions except the first run
 * compiled code. Every repetition has its own inputs and outputs, on pages of which only the root
 * has copies, so that each repetition sends the same data.
 */
public final class Repeats {
    /** Maximum number of repetitions. */
    public static final int COUNT_MAX = 100;

    private Repeats() {}

    /**
     * Runs a body {@code count} times, between barriers if {@code count} exceeds 1. The root then
     * prints the time of each repetition, from barrier to barrier. If the environment requests
     * {@linkplain Turns turns}, each repetition is a turn. Collective.
     *
     * @param body receives the number of the repetition, from 0
     */
    public static void run(DsmNode node, int count, IntConsumer body) {
        if (count == 1) {
            body.accept(0);
            return;
        }
        DsmBarrier barrier = node.barrier("repetition");
        repeat(count, node.position() == 0, body, barrier::await);
    }

    /**
     * Repeats a body in the sequential part of a program of parallel loops. All other threads wait
     * for the next loop.
     *
     * @param team team of the calling sequential part
     */
    public static void run(Team team, int count, IntConsumer body) {
        if (count == 1) {
            body.accept(0);
            return;
        }
        repeat(count, team.node().position() == 0, body, () -> {});
    }

    /**
     * @param meet a barrier of all threads
     */
    private static void repeat(int count, boolean isFirst, IntConsumer body, Runnable meet) {
        Optional<Turns> turns = isFirst ? Turns.ofEnvironment() : Optional.empty();
        for (int i = 0; i < count; i++) {
            turns.ifPresent(Turns::await); // the other threads wait at the barrier
            double seconds = timed(meet, body, i);
            turns.ifPresent(Turns::pass);
            if (isFirst) {
                System.out.printf(
                        Locale.ROOT, "repetition %d of %d: %.6f s%n", i + 1, count, seconds);
            }
        }
        turns.ifPresent(Turns::awaitEnd);
        turns.ifPresent(Turns::close);
    }

    /** Runs a repetition between two barriers; returns its seconds. */
    private static double timed(Runnable meet, IntConsumer body, int number) {
        meet.run();
        long begin = System.nanoTime();
        body.accept(number);
        meet.run();
        return (double) (System.nanoTime() - begin) / TimeUnit.SECONDS.toNanos(1);
    }
}
