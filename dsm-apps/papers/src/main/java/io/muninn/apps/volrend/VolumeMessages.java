package io.muninn.apps.volrend;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.Mode;
import io.muninn.apps.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * VOLREND with messages: each thread computes the densities that it needs, then its planes of the
 * map and of every level of the octree, and sends these planes to all other threads. Then it
 * renders a fixed share of the tiles of each frame.
 */
final class VolumeMessages {
    private VolumeMessages() {}

    static double[] render(VolumeSize size, DsmNode node) {
        Exchange exchange = new Exchange(node);
        VolumeMaps maps = VolumeMaps.local(size);
        Band planes = node.band(size.voxels());
        maps.fill(Math.max(planes.from() - 1, 0), Math.min(planes.to() + 1, size.voxels()));
        for (int z = planes.from(); z < planes.to(); z++) {
            maps.map(node, z);
        }
        share(
                node,
                exchange,
                size.voxels(),
                band ->
                        maps.map()
                                .segment(
                                        band.from() * size.plane(),
                                        band.to() * size.plane(),
                                        Mode.WRITE));
        for (int level = 0; level < size.levels(); level++) {
            int start = size.start(level);
            int side = size.side(level);
            Band cells = node.band(side);
            for (int z = cells.from(); z < cells.to(); z++) {
                maps.summarize(node, level, z);
            }
            share(
                    node,
                    exchange,
                    side,
                    band ->
                            maps.octree()
                                    .segment(
                                            start + band.from() * side * side,
                                            start + band.to() * side * side,
                                            Mode.WRITE));
        }
        return size.tiles()
                .messages(node, exchange, size.frames(), frame -> new RayCaster(maps, frame, true));
    }

    /** The memory of some planes. */
    private interface Planes {
        MemorySegment of(Band band);
    }

    /** Sends each thread's planes to all threads. */
    private static void share(DsmNode node, Exchange exchange, int count, Planes planes) {
        MemorySegment[] in = new MemorySegment[node.positions()];
        Arrays.setAll(in, i -> planes.of(Band.of(count, i, in.length)));
        exchange.share(in[node.position()], in);
    }
}
