package io.muninn.apps.raytrace;

import io.muninn.apps.ImageTiles;

/**
 * How much RAYTRACE computes.
 *
 * @param tiles of the image
 * @param primitives spheres and triangles, at least 2
 * @param seed of the scene
 */
record RaySize(ImageTiles tiles, int primitives, int seed) {
    /** Elements for finer grids in every scene. */
    private static final int FINER_MIN = 4096;

    /** Elements for finer grids that each primitive adds. */
    private static final int FINER_PER_PRIMITIVE = 32;

    /** Elements of the hierarchical grid: a cell, a list of all primitives, and finer grids. */
    int gridLength() {
        return 2 + primitives + FINER_MIN + FINER_PER_PRIMITIVE * primitives;
    }
}
