package io.muninn.api;

import io.muninn.api.service.NodeTeam;

/**
 * A sequential program with parallel loops: no barrier, no lock, no message. {@link #run(Team)}
 * runs on the root's first thread; all other threads of all nodes wait for its loops. Shared
 * variables and {@link Loop}s are fields.
 *
 * <pre>{@code
 * public final class Scale implements LoopProgram {
 *     @Shared(Protocol.WRITE_SHARED)
 *     final DoubleArray values = DoubleArray.of(1_000_000);
 *
 *     final Loop<None, None> square =
 *             Loop.each(i -> values.set(i, values.get(i) * values.get(i)));
 *     final Loop<None, Double> total = Loop.sum(i -> values.get(i));
 *
 *     public void run(Team team) {
 *         team.forEach(0, values.length(), square);
 *         System.out.println(team.reduce(0, values.length(), total));
 *     }
 * }
 * }</pre>
 *
 * <p>Source: CVM §2.1 and §3.1.1 (fork and join; the start of a loop is sent with the barrier).
 */
public interface LoopProgram extends DsmProgram {
    /**
     * The sequential part. When it returns, the program has ended on all threads. It and the bodies
     * of loops can use no barrier, see {@link Team}.
     */
    void run(Team team) throws Exception;

    /** Runs the sequential part on the root's first thread, and loops on all others. */
    @Override
    default void run(DsmNode node) throws Exception {
        NodeTeam.play(this, this::run, node);
    }
}
