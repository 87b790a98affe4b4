package io.muninn.apps;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.Team;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/**
 * The same computation several times in the same processes, so that all but the first run in code
 * that is compiled. Every repetition has inputs and outputs of its own, on pages that no node but
 * the root has had: the same data is sent in each.
 */
public final class Repeats {
    /** Most repetitions. */
    public static final int COUNT_MAX = 100;

    private Repeats() {}

    /**
     * Runs a body {@code count} times, between barriers if that is more than once; the root then
     * prints what each took, from barrier to barrier. Collective. Where the environment says that
     * {@linkplain Turns turns} are taken, each is a turn.
     *
     * @param body gets the number of its repetition, from 0
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
     * The same in a program of parallel loops: all other threads wait for the next loop.
     *
     * @param team whose sequential part this is
     */
    public static void run(Team team, int count, IntConsumer body) {
        if (count == 1) {
            body.accept(0);
            return;
        }
        repeat(count, team.node().position() == 0, body, () -> {});
    }

    /**
     * @param meet waits for all threads
     */
    private static void repeat(int count, boolean isFirst, IntConsumer body, Runnable meet) {
        Optional<Turns> turns = isFirst ? Turns.ofEnvironment() : Optional.empty();
        for (int i = 0; i < count; i++) {
            turns.ifPresent(Turns::await); // the others wait at the barrier
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

    /** Seconds between the meetings. */
    private static double timed(Runnable meet, IntConsumer body, int number) {
        meet.run();
        long begin = System.nanoTime();
        body.accept(number);
        meet.run();
        return (double) (System.nanoTime() - begin) / TimeUnit.SECONDS.toNanos(1);
    }
}
