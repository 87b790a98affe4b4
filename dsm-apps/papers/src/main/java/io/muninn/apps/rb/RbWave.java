package io.muninn.apps.rb;

import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.Waves;

/**
 * What RB does to a wave that is zero at the edges. Of the red elements and of the black ones the
 * part that is such a wave follows from both parts before, as two numbers do: so both are known
 * after any number of steps. Nothing here looks at neighbours.
 *
 * <p>Source: Young, "Iterative Solution of Large Linear Systems", 1971, chapters 4 and 5: the
 * eigenvectors of the model problem, and what overrelaxation of an ordered matrix does to them.
 */
final class RbWave {
    /** That of {@link RbGrid}, written down once more. */
    private static final double RELAXATION = 1.5;

    private RbWave() {}

    /**
     * @param first all elements before the first step
     * @param last all elements after the steps
     */
    static Verdict verify(LoopSize size, double[] first, double[] last) {
        Waves waves = new Waves(size.size());
        double[] edges = waves.edges(first);
        double[] parts = waves.parts(first);
        for (int step = 0; step < size.steps(); step++) {
            for (int colour : new int[] {RbGrid.RED, RbGrid.BLACK}) {
                double average = waves.factor() * parts[1 - colour] + 0.25 * edges[colour];
                parts[colour] += RELAXATION * (average - parts[colour]);
            }
        }
        double[] found = waves.parts(last);
        Verdict red = waves.verdict(size.ofGrid() + ", red", found[0], parts[0]);
        return red.right() ? waves.verdict(size.ofGrid() + ", black", found[1], parts[1]) : red;
    }
}
