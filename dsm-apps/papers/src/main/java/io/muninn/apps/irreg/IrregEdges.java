package io.muninn.apps.irreg;

import io.muninn.api.Verdict;
import io.muninn.apps.NearEqual;

/**
 * The relaxation of IRREG edge by edge: each edge pulls its two ends together, in the order of the
 * edges. It needs no list of neighbours. The sum of all values, each times the number of its edges,
 * stays the same, because the two pulls of an edge cancel in it.
 */
final class IrregEdges {
    /** That of {@link IrregMesh}, written down once more. */
    private static final double RELAXATION = 0.75;

    private final int edges;
    private final int[] degrees;

    private IrregEdges(int edges) {
        this.edges = edges;
        this.degrees = new int[IrregMesh.points(edges)];
        for (int edge = 0; edge < edges; edge++) {
            degrees[IrregMesh.from(edge, degrees.length)]++;
            degrees[IrregMesh.to(edge, degrees.length)]++;
        }
    }

    /**
     * @param values of all points after the steps
     */
    static Verdict verify(int edges, int steps, double[] values) {
        IrregEdges mesh = new IrregEdges(edges);
        double[] expected = new double[mesh.degrees.length];
        for (int point = 0; point < expected.length; point++) {
            expected[point] = IrregMesh.value(point);
        }
        Verdict kept =
                NearEqual.verdict(
                        "the sum over all edges", mesh.sum(values), mesh.sum(expected), edges);
        for (int step = 0; step < steps; step++) {
            mesh.relax(expected);
        }
        return kept.right()
                ? NearEqual.verdict("the mesh, edge by edge", values, 0, expected, 1)
                : kept;
    }

    private double sum(double[] values) {
        double sum = 0;
        for (int point = 0; point < values.length; point++) {
            sum += degrees[point] * values[point];
        }
        return sum;
    }

    private void relax(double[] values) {
        double[] pulls = new double[values.length];
        for (int edge = 0; edge < edges; edge++) {
            int from = IrregMesh.from(edge, values.length);
            int to = IrregMesh.to(edge, values.length);
            double apart = values[to] - values[from];
            pulls[from] += apart;
            pulls[to] -= apart;
        }
        for (int point = 0; point < values.length; point++) {
            values[point] += degrees[point] == 0 ? 0 : RELAXATION * pulls[point] / degrees[point];
        }
    }
}
