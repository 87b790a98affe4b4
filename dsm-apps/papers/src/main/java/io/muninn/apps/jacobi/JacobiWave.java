package io.muninn.apps.jacobi;

import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.Waves;

/**
 * What JACOBI does to a wave that is zero at the edges. Averaging four neighbours multiplies the
 * part of the elements that is such a wave by a number, and edges add the same in each step: so a
 * sum over all elements is known after any number of steps. Nothing here averages neighbours.
 *
 * <p>Source: Young, "Iterative Solution of Large Linear Systems", 1971, chapter 4: the eigenvectors
 * of the model problem.
 */
final class JacobiWave {
    private JacobiWave() {}

    /**
     * @param first all elements before the first step
     * @param last all elements after {@code steps} steps
     */
    static Verdict verify(LoopSize size, int steps, double[] first, double[] last) {
        Waves waves = new Waves(size.size());
        double[] parts = waves.parts(first);
        double added = 0.25 * (waves.edges(first)[0] + waves.edges(first)[1]);
        double sum = parts[0] + parts[1];
        for (int step = 0; step < steps; step++) {
            sum = waves.factor() * sum + added;
        }
        double[] found = waves.parts(last);
        return waves.verdict(size.ofGrid(), found[0] + found[1], sum);
    }
}
