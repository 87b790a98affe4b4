package io.muninn.apps.raytrace;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.Options;
import io.muninn.apps.ImageTiles;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SpmdEntry;
import java.util.List;

/**
 * The entry of RAYTRACE in the list of programs.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, "Supporting a Coherent Shared Address Space Across
 * SMP Nodes", section 6.2. Departure: the scene of the paper, a car, is not available. The program
 * creates another scene. The paper does not give the size of its image.
 */
public final class Raytrace extends SpmdEntry<RaySize> {
    private static final Number IMAGE =
            new Number("image", "rows and columns of the image", 512, 1, 4096);
    private static final Number TILE =
            new Number("tile", "rows and columns of a tile, a divisor of these", 8, 1, 4096);
    private static final Number PRIMITIVES =
            new Number("primitives", "spheres and triangles of the scene", 8192, 2, 262_144);
    private static final Number SEED = new Number("seed", "of the scene", 1, 0, Integer.MAX_VALUE);

    public Raytrace() {
        super(
                "raytrace",
                "ray tracing with task stealing (Bilas et al., section 6.2)",
                List.of(IMAGE, TILE, PRIMITIVES, SEED));
    }

    @Override
    protected RaySize size(Options options) {
        ImageTiles tiles = ImageTiles.of(IMAGE.of(options), TILE.of(options));
        return new RaySize(tiles, PRIMITIVES.of(options), SEED.of(options));
    }

    @Override
    protected DsmProgram shared(RaySize size, Prefetching prefetching) {
        return new RayShared(size);
    }

    @Override
    protected double[] messages(RaySize size, DsmNode node) {
        return RayMessages.render(size, node);
    }

    @Override
    protected double[] sequential(RaySize size, DsmNode node) {
        return RaySequential.render(size, node);
    }

    @Override
    protected Verdict verify(RaySize size, DsmNode root, double[] results) {
        return RaySequential.verify(size, root, results);
    }
}
