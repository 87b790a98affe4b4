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
    /** Elements of a grid beyond one list of all primitives: what finer grids may take. */
    private static final int FINER_MIN = 4096;

    /** The same, for each primitive. */
    private static final int FINER_PER_PRIMITIVE = 32;

    /** Elements for the hierarchical grid. */
    int gridLength() {
        return 2 + primitives + FINER_MIN + FINER_PER_PRIMITIVE * primitives;
    }
}
