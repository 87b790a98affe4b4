package io.muninn.apps.volrend;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.Verdict;
import io.muninn.apps.ImageTiles;
import io.muninn.apps.Solved;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Rays that leap against rays that do not, and what maps and octree consist of. */
class RayCasterTest {
    private static final int SIDE = 24;

    private static VolumeSize size(int voxels, int seed) {
        return new VolumeSize(voxels, 1, new ImageTiles(SIDE, 8), seed);
    }

    private static VolumeMaps maps(VolumeSize size) {
        VolumeMaps maps = VolumeMaps.local(size);
        maps.fill(0, size.voxels());
        Dsm.run(
                Solved.onOneThread(
                        node -> {
                            VolumeSequential.prepare(maps, node);
                            return new double[0];
                        },
                        (_, _) -> Verdict.unchecked()));
        return maps;
    }

    private static int[] image(VolumeMaps maps, int frame, boolean leaps) {
        RayCaster caster = new RayCaster(maps, frame, leaps);
        int[] image = new int[SIDE * SIDE];
        Arrays.setAll(image, i -> caster.pixel(i / SIDE, i % SIDE));
        return image;
    }

    @Test
    void imageOfLeapingRays_isTheImageOfAllSamples() {
        for (int voxels : new int[] {2, 3, 17, 32}) {
            VolumeMaps maps = maps(size(voxels, 5));
            for (int frame : new int[] {0, 1, 18}) {
                assertArrayEquals(image(maps, frame, false), image(maps, frame, true));
            }
        }
    }

    @Test
    void leapingRays_takeFewerSteps() {
        VolumeMaps maps = maps(size(32, 5));
        RayCaster all = new RayCaster(maps, 0, false);
        RayCaster leaping = new RayCaster(maps, 0, true);
        for (int i = 0; i < SIDE; i++) {
            all.pixel(i, i);
            leaping.pixel(i, i);
        }

        long units = all.units();
        assertTrue(leaping.units() < units);
        assertEquals(0, all.units());
    }

    @Test
    void octree_hasTheGreatestOpacityOfItsVoxels() {
        VolumeSize size = size(11, 5);
        VolumeMaps maps = maps(size);
        assertEquals(5, size.levels());
        for (int level = 0; level < size.levels(); level++) {
            int side = size.side(level);
            for (int i = 0; i < side * side * side; i++) {
                int x = i % side << level;
                int y = i / side % side << level;
                int z = i / (side * side) << level;
                assertEquals(
                        greatest(maps, x, y, z, 1 << level),
                        maps.octree().get(size.start(level) + i) & 0xff);
            }
        }
        assertEquals(size.start(5), maps.octree().length());
    }

    /** Of all voxels between which the samples of a cell are interpolated. */
    private static int greatest(VolumeMaps maps, int x, int y, int z, int width) {
        int n = maps.size().voxels();
        int greatest = 0;
        for (int k = z; k <= Math.min(z + width, n - 1); k++) {
            for (int j = y; j <= Math.min(y + width, n - 1); j++) {
                for (int i = x; i <= Math.min(x + width, n - 1); i++) {
                    greatest = Math.max(greatest, maps.map().get(i + n * (j + n * k)) >>> 24);
                }
            }
        }
        return greatest;
    }

    @Test
    void normal_pointsOutOfTheVolume() {
        VolumeMaps maps = maps(size(32, 5));
        int mapped = 0;
        for (int x = 0; mapped == 0; x++) {
            mapped = maps.map().get(x + 32 * (16 + 32 * 16));
        }

        assertTrue((byte) (mapped >> 16) < -100, Integer.toHexString(mapped));
        assertTrue(Math.abs((byte) (mapped >> 8)) < 60, Integer.toHexString(mapped));
    }

    @Test
    void frames_differAndDependOnTheSeed() {
        int[] image = image(maps(size(32, 5)), 0, true);

        assertTrue(Arrays.stream(image).distinct().count() > 50);
        assertFalse(Arrays.equals(image, image(maps(size(32, 5)), 3, true)));
        assertFalse(Arrays.equals(image, image(maps(size(32, 6)), 0, true)));
    }
}
