package io.muninn.apps.volrend;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.Options;
import io.muninn.apps.ImageTiles;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SpmdEntry;
import java.util.List;

/**
 * The entry of VOLREND in the list of programs.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, "Supporting a Coherent Shared Address Space Across
 * SMP Nodes", section 6.2. Departure: the volume of the paper, a scanned head, is not available.
 * The program creates another volume. The paper does not give the sizes of volume and images, or
 * the number of frames.
 */
public final class Volrend extends SpmdEntry<VolumeSize> {
    private static final Number VOXELS =
            new Number("voxels", "voxels on each axis of the volume", 128, 2, 256);
    private static final Number FRAMES = new Number("frames", "images", 4, 0, 20);
    private static final Number IMAGE =
            new Number("image", "rows and columns of an image", 256, 1, 1024);
    private static final Number TILE =
            new Number("tile", "rows and columns of a tile, a divisor of these", 8, 1, 1024);
    private static final Number SEED = new Number("seed", "of the volume", 1, 0, Integer.MAX_VALUE);

    public Volrend() {
        super(
                "volrend",
                "volume rendering with task stealing (Bilas et al., section 6.2)",
                List.of(VOXELS, FRAMES, IMAGE, TILE, SEED));
    }

    @Override
    protected VolumeSize size(Options options) {
        ImageTiles tiles = ImageTiles.of(IMAGE.of(options), TILE.of(options));
        return new VolumeSize(VOXELS.of(options), FRAMES.of(options), tiles, SEED.of(options));
    }

    @Override
    protected DsmProgram shared(VolumeSize size, Prefetching prefetching) {
        return new VolumeShared(size);
    }

    @Override
    protected double[] messages(VolumeSize size, DsmNode node) {
        return VolumeMessages.render(size, node);
    }

    @Override
    protected double[] sequential(VolumeSize size, DsmNode node) {
        return VolumeSequential.render(size, node);
    }

    @Override
    protected Verdict verify(VolumeSize size, DsmNode root, double[] results) {
        return VolumeSequential.verify(size, root, results);
    }
}
