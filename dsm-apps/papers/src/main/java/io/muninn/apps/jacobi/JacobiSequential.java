package io.muninn.apps.jacobi;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;

/** JACOBI on one thread. */
final class JacobiSequential {
    private JacobiSequential() {}

    /**
     * @param steps until the iteration has converged, or all
     */
    private record Solution(double[] elements, double change, int steps) {
        double[] results() {
            return SameBits.append(elements, change);
        }
    }

    static double[] solve(LoopSize size, DsmNode node) {
        return solution(size, node).results();
    }

    private static Solution solution(LoopSize size, DsmNode node) {
        int n = size.size();
        JacobiGrid grid = JacobiGrid.local(n, n, 0);
        for (int row = 0; row < n; row++) {
            grid.fill(row);
        }
        double change = Double.POSITIVE_INFINITY;
        int steps = 0;
        while (steps < size.steps() && change > JacobiGrid.CONVERGED) {
            steps++;
            for (int row = 1; row < n - 1; row++) {
                grid.relax(row);
                node.work(JacobiGrid.relaxUnits(n));
            }
            change = 0;
            for (int row = 1; row < n - 1; row++) {
                change = Math.max(change, grid.accept(row));
                node.work(JacobiGrid.acceptUnits(n));
            }
        }
        return new Solution(SameBits.of(grid.now()), change, steps);
    }

    /**
     * Elements agree with {@link JacobiWave}, and results have the bits of the sequential ones.
     *
     * @param results all elements, and the last change
     */
    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        Solution mine = solution(size, root);
        double[] first = SameBits.of(JacobiGrid.filled(size.size(), size.size(), 0).now());
        Verdict wave = JacobiWave.verify(size, mine.steps(), first, results);
        return wave.right() ? SameBits.verdict(size.ofGrid(), results, mine.results()) : wave;
    }
}
