package io.muninn.apps.irreg;

import io.muninn.api.DoubleArray;
import io.muninn.api.IntArray;
import io.muninn.apps.Pattern;

/**
 * A random mesh: for each of its points, the points that edges join it to. It is not known before
 * the run which elements a thread will read.
 *
 * <p>CVM gives the number of edges only. The number of points is calibrated: in its Table 4 eight
 * processors send 7572 KB, which in 17 steps of two loops is 8 bytes for some 8000 points to each
 * of seven others.
 *
 * @param starts for each point the place of its first neighbour; one more ends the last point
 * @param neighbours of all points, two for each edge
 */
record IrregMesh(IntArray starts, IntArray neighbours) {
    /** Edges for each point. */
    private static final int EDGES_EACH = 125;

    /** How far a point moves towards the average of its neighbours. */
    private static final double RELAXATION = 0.75;

    private static final long FROM = 50;
    private static final long TO = 51;
    private static final long VALUES = 52;

    /** Points of a mesh with so many edges, at least 2. */
    static int points(int edges) {
        return Math.max(2, edges / EDGES_EACH);
    }

    /** In plain memory. */
    static IrregMesh filled(int edges) {
        IrregMesh mesh =
                new IrregMesh(IntArray.local(points(edges) + 1), IntArray.local(2 * edges));
        mesh.fill(edges);
        return mesh;
    }

    /** Stores the neighbours of all points, in the order of the edges. */
    void fill(int edges) {
        int points = points(edges);
        int[] next = new int[points + 1];
        for (int edge = 0; edge < edges; edge++) {
            next[from(edge, points) + 1]++;
            next[to(edge, points) + 1]++;
        }
        for (int point = 0; point < points; point++) {
            next[point + 1] += next[point];
        }
        starts.copyFrom(0, next, 0, next.length);
        int[] all = new int[2 * edges];
        for (int edge = 0; edge < edges; edge++) {
            int from = from(edge, points);
            int to = to(edge, points);
            all[next[from]++] = to;
            all[next[to]++] = from;
        }
        neighbours.copyFrom(0, all, 0, all.length);
    }

    /** One end of an edge. */
    static int from(int edge, int points) {
        return (int) Long.remainderUnsigned(Pattern.mix(FROM ^ Pattern.mix(edge)), points);
    }

    /** The other end, which is another point. */
    static int to(int edge, int points) {
        long gap = Long.remainderUnsigned(Pattern.mix(TO ^ Pattern.mix(edge)), points - 1L);
        return (int) ((from(edge, points) + 1 + gap) % points);
    }

    static double value(int point) {
        return Pattern.at(VALUES, 0, point);
    }

    /** Moves a point towards the average of its neighbours. */
    void relax(int point, DoubleArray now, DoubleArray next) {
        int start = starts.get(point);
        int end = starts.get(point + 1);
        double sum = 0;
        for (int i = start; i < end; i++) {
            sum += now.get(neighbours.get(i));
        }
        double here = now.get(point);
        double there = end == start ? here : sum / (end - start);
        next.set(point, here + RELAXATION * (there - here));
    }

    /** Takes the new value; returns the change. */
    static double accept(int point, DoubleArray now, DoubleArray next) {
        double value = next.get(point);
        double change = Math.abs(value - now.get(point));
        now.set(point, value);
        return change;
    }

    /** Simple operations to relax a point, on average. */
    static long relaxUnits() {
        return 2L * EDGES_EACH;
    }
}
