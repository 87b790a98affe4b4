package io.muninn.apps.irreg;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.LoopSize;
import io.muninn.apps.SameBits;
import java.util.Arrays;
import java.util.Locale;

/** IRREG on one thread. */
final class IrregSequential {
    private IrregSequential() {}

    static double[] solve(LoopSize size, DsmNode node) {
        int points = IrregMesh.points(size.size());
        IrregMesh mesh = IrregMesh.filled(size.size());
        DoubleArray now = DoubleArray.local(points);
        DoubleArray next = DoubleArray.local(points);
        for (int point = 0; point < points; point++) {
            now.set(point, IrregMesh.value(point));
        }
        double change = 0;
        for (int step = 0; step < size.steps(); step++) {
            for (int point = 0; point < points; point++) {
                mesh.relax(point, now, next);
            }
            node.work(points * IrregMesh.relaxUnits());
            change = 0;
            for (int point = 0; point < points; point++) {
                change = Math.max(change, IrregMesh.accept(point, now, next));
            }
            node.work(points);
        }
        return results(now, change);
    }

    static double[] results(DoubleArray now, double change) {
        double[] values = new double[now.length()];
        now.copyTo(0, values, 0, values.length);
        return SameBits.append(values, change);
    }

    /**
     * Results agree with {@link IrregEdges}, and have the bits of the sequential ones.
     *
     * @param results the values of all points, and the last change
     */
    static Verdict verify(LoopSize size, DsmNode root, double[] results) {
        String what =
                String.format(
                        Locale.ROOT,
                        "mesh of %d points and %d edges after %d steps",
                        IrregMesh.points(size.size()),
                        size.size(),
                        size.steps());
        double[] values = Arrays.copyOf(results, results.length - 1);
        Verdict edges = IrregEdges.verify(size.size(), size.steps(), values);
        return edges.right() ? SameBits.verdict(what, results, solve(size, root)) : edges;
    }
}
