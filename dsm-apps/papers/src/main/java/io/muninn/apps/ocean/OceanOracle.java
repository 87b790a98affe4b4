package io.muninn.apps.ocean;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.SameBits;
import java.util.Locale;

/**
 * Two questions about a run. Has it the bits of the sequential run? Is the Laplacian of the stream
 * function the vorticity, as exactly as the solver promises? The second one is answered from the
 * results alone.
 */
final class OceanOracle {
    private OceanOracle() {}

    /**
     * @param results the stream function, and the vorticity, each row by row
     */
    static Verdict verify(OceanSize size, DsmNode root, double[] results) {
        String what =
                String.format(
                        Locale.ROOT,
                        "basin of %dx%d cells after %d steps",
                        size.cells(),
                        size.cells(),
                        size.steps());
        Verdict bits = SameBits.verdict(what, results, OceanRun.alone(size, root));
        if (!bits.right()) {
            return bits;
        }
        double residual = residual(size.cells(), results);
        String text =
                String.format(Locale.ROOT, "%s; its residual is %.2e", bits.detail(), residual);
        return residual <= OceanRun.TOLERANCE
                ? Verdict.right(text)
                : Verdict.wrong(text + ", more than " + OceanRun.TOLERANCE);
    }

    /** The largest residual of a cell, as a part of the largest vorticity. */
    static double residual(int n, double[] results) {
        double worst = 0;
        double most = 0;
        for (int i = 0; i < n * n; i++) {
            double here = results[i];
            double north = i >= n ? results[i - n] : -here;
            double south = i < n * (n - 1) ? results[i + n] : -here;
            double west = i % n > 0 ? results[i - 1] : -here;
            double east = i % n < n - 1 ? results[i + 1] : -here;
            double laplacian = (north + south + west + east - 4 * here) * n * n;
            double vorticity = results[n * n + i];
            worst = Math.max(worst, Math.abs(laplacian - vorticity));
            most = Math.max(most, Math.abs(vorticity));
        }
        return worst == 0 ? 0 : worst / most;
    }
}
