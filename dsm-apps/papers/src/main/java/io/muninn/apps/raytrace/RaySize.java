package io.muninn.apps.raytrace;

import io.muninn.apps.ImageTiles;

/**
 * The sizes of image and scene of RAYTRACE.
 *
 * @param tiles tiles of the image
 * @param primitives spheres and triangles, at least 2
 * @param seed seed of the scene
 */
record RaySize(ImageTiles tiles, int primitives, int seed) {
    /** Least number of elements for finer grids. */
    private static final int FINER_MIN = 4096;

    /** Additional elements for finer grids per primitive. */
    private static final int FINER_PER_PRIMITIVE = 32;

    /** Elements of the hierarchical grid: a cell, a list of all primitives, and finer grids. */
    int gridLength() {
        return 2 + primitives + FINER_MIN + FINER_PER_PRIMITIVE * primitives;
    }
}
