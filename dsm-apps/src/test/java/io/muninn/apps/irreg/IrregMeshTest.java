package io.muninn.apps.irreg;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DoubleArray;
import org.junit.jupiter.api.Test;

/** The mesh of IRREG, and its loops over a point. */
class IrregMeshTest {
    private static final int EDGES = 2000;
    private static final int POINTS = 16;

    @Test
    void everyEdge_joinsTwoPointsInBothDirections() {
        IrregMesh mesh = IrregMesh.filled(EDGES);
        int[][] times = new int[POINTS][POINTS];

        assertEquals(POINTS, IrregMesh.points(EDGES));
        assertEquals(0, mesh.starts().get(0));
        assertEquals(2 * EDGES, mesh.starts().get(POINTS));
        for (int point = 0; point < POINTS; point++) {
            for (int i = mesh.starts().get(point); i < mesh.starts().get(point + 1); i++) {
                assertNotEquals(point, mesh.neighbours().get(i));
                times[point][mesh.neighbours().get(i)]++;
            }
        }
        for (int point = 0; point < POINTS; point++) {
            for (int other = 0; other < POINTS; other++) {
                assertEquals(times[point][other], times[other][point]);
                assertTrue(point == other || times[point][other] > 0, point + " and " + other);
            }
        }
    }

    @Test
    void point_movesTowardsTheAverageOfItsNeighbours() {
        IrregMesh mesh = IrregMesh.filled(EDGES);
        DoubleArray now = DoubleArray.local(POINTS);
        DoubleArray next = DoubleArray.local(POINTS);
        for (int point = 0; point < POINTS; point++) {
            now.set(point, point * point);
        }
        double sum = 0;
        int count = 0;
        for (int i = mesh.starts().get(5); i < mesh.starts().get(6); i++) {
            sum += now.get(mesh.neighbours().get(i));
            count++;
        }
        double expected = 25 + 0.75 * (sum / count - 25);

        mesh.relax(5, now, next);

        assertEquals(expected, next.get(5), 1e-12);
        assertEquals(25, now.get(5));
        assertEquals(Math.abs(expected - 25), IrregMesh.accept(5, now, next), 1e-12);
        assertEquals(expected, now.get(5), 1e-12);
    }

    @Test
    void pointWithoutNeighbours_stays() {
        IrregMesh mesh = IrregMesh.filled(1);
        mesh.starts().copyFrom(0, new int[] {0, 0, 2}, 0, 3);
        DoubleArray now = DoubleArray.local(2);
        now.set(0, 4);
        DoubleArray next = DoubleArray.local(2);

        mesh.relax(0, now, next);

        assertEquals(4, next.get(0));
    }
}
