package io.muninn.apps.adi;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;
import java.util.Locale;

/** ADI on one thread. */
final class AdiSequential {
    private AdiSequential() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int n = size.size();
        AdiGrid now = AdiGrid.filled(n, 0);
        AdiGrid next = AdiGrid.filled(n, 0);
        for (int step = 0; step < size.steps(); step++) {
            for (int row = 1; row < n - 1; row++) {
                now.advance(row, next);
            }
            node.work((n - 2) * AdiGrid.ROW_UNITS);
            AdiGrid old = now;
            now = next;
            next = old;
        }
        return SameBits.of(now.u1(), now.u2(), now.u3());
    }

    /** Results agree with {@link AdiWave}, and have the bits of the sequential ones. */
    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        String what =
                String.format(
                        Locale.ROOT,
                        "grid of %dx%d after %d steps",
                        size.size(),
                        AdiGrid.WIDTH,
                        size.steps());
        AdiGrid first = AdiGrid.filled(size.size(), 0);
        Verdict wave =
                AdiWave.verify(size, SameBits.of(first.u1(), first.u2(), first.u3()), results);
        return wave.right() ? SameBits.verdict(what, results, solve(size, root)) : wave;
    }
}
