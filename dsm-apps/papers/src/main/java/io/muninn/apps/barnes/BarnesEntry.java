package io.muninn.apps.barnes;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import io.muninn.apps.SameBits;
import io.muninn.apps.Solved;
import java.util.List;
import java.util.Locale;

/**
 * The common part of the entries of both programs. They differ in name and in the version over
 * shared memory.
 *
 * <p>The results are the records of all bodies. Every version adds the same numbers in the same
 * order, because the tree does not depend on the order in which bodies are inserted; so the results
 * of all versions have the same bits.
 */
abstract class BarnesEntry implements BuiltInProgram {
    /** The program over shared memory. */
    abstract DsmProgram shared(BarnesSize size);

    @Override
    public final String usage() {
        return """
        --bodies N       bodies, 1 to 65536 (8192)
        --steps N        steps of time, 0 to 1000 (4)
        --theta N        opening angle in hundredths, 0 to 200 (100)
        --seed N         of the first positions and velocities, 0 to 2147483647 (1)
        --version V      dsm, mp (message passing) or seq (dsm)
        """;
    }

    @Override
    public final List<String> versions() {
        return List.of("dsm", "mp", "seq");
    }

    @Override
    public final void checkCluster(List<String> words, int nodes, int threads) {
        int positions = nodes * threads;
        if (parse(words).choice("version", versions()).equals("dsm")
                && positions > BarnesShared.POSITIONS_MAX) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "runs on at most %d threads, not %d",
                            BarnesShared.POSITIONS_MAX,
                            positions));
        }
    }

    private static Options parse(List<String> words) {
        return Options.parse(words, "bodies=", "steps=", "theta=", "seed=", "version=");
    }

    @Override
    public final DsmProgram create(List<String> words) {
        Options options = parse(words);
        BarnesSize size =
                new BarnesSize(
                        options.integer("bodies", 8192, 1, 65_536),
                        options.integer("steps", 4, 0, 1000),
                        options.integer("theta", 100, 0, 200) / 100.0,
                        options.integer("seed", 1, 0, Integer.MAX_VALUE));
        return switch (options.choice("version", versions())) {
            case "mp" ->
                    new Solved(
                            node -> BarnesMessages.run(size, node),
                            (root, results) -> verify(size, root, results));
            case "seq" ->
                    Solved.onOneThread(
                            node -> BarnesSequential.run(size, node),
                            (root, results) -> verify(size, root, results));
            default -> shared(size);
        };
    }

    /** Compares the records of all bodies with those of the sequential version. */
    static Verdict verify(BarnesSize size, DsmNode root, double[] results) {
        String what =
                String.format(
                        Locale.ROOT,
                        "motion of %d bodies in %d steps",
                        size.bodies(),
                        size.steps());
        return SameBits.verdict(what, results, BarnesSequential.run(size, root));
    }
}
