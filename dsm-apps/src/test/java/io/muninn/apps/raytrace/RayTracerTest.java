package io.muninn.apps.raytrace;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.IntArray;
import io.muninn.apps.ImageTiles;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;

/** Images of the grid against images without it, and what grids consist of. */
class RayTracerTest {
    private static final int SIDE = 40;

    private static RaySize size(int primitives, int seed) {
        return new RaySize(new ImageTiles(SIDE, 8), primitives, seed);
    }

    private static int[] image(RaySize size, RayScene scene) {
        RayTracer tracer = new RayTracer(size, scene);
        int[] image = new int[SIDE * SIDE];
        Arrays.setAll(image, i -> tracer.pixel(i / SIDE, i % SIDE));
        return image;
    }

    /** A grid of one cell, with all primitives. */
    private static IntArray undivided(int primitives) {
        IntArray grid = IntArray.local(primitives + 2);
        grid.set(0, 1);
        grid.set(1, primitives);
        for (int i = 0; i < primitives; i++) {
            grid.set(2 + i, i);
        }
        return grid;
    }

    @Test
    void imageWithGrid_isTheImageOfAllPrimitives() {
        for (int primitives : new int[] {2, 3, 9, 500}) {
            RaySize size = size(primitives, 7);
            RayScene scene = RayScene.local(size);

            int[] expected = image(size, new RayScene(scene.primitives(), undivided(primitives)));

            assertArrayEquals(expected, image(size, scene), primitives + " primitives");
        }
    }

    @Test
    void grid_isDividedAndReachesEveryPrimitive() {
        RaySize size = size(3000, 3);
        IntArray grid = RayScene.local(size).grid();
        BitSet reached = new BitSet();
        int depth = reach(grid, grid.get(0), reached);

        assertTrue(depth > 2, "divided " + depth + " times");
        assertEquals(3000, reached.cardinality());
    }

    /** Collects the primitives of a cell; returns how many times it is divided. */
    private static int reach(IntArray grid, int cell, BitSet reached) {
        int depth = 0;
        if (cell > 0) {
            for (int i = 1; i <= grid.get(cell); i++) {
                reached.set(grid.get(cell + i));
            }
        } else if (cell < 0) {
            for (int i = 0; i < RayGrid.CELLS; i++) {
                depth = Math.max(depth, 1 + reach(grid, grid.get(i - cell), reached));
            }
        }
        return depth;
    }

    @Test
    void scene_dependsOnItsSeed() {
        RaySize one = size(200, 1);
        RaySize two = size(200, 2);

        int[] image = image(one, RayScene.local(one));

        assertArrayEquals(image, image(one, RayScene.local(one)));
        assertFalse(Arrays.equals(image, image(two, RayScene.local(two))));
        assertTrue(Arrays.stream(image).distinct().count() > 100);
    }
}
