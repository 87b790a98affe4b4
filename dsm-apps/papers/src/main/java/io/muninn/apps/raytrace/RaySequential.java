package io.muninn.apps.raytrace;

import io.muninn.api.DsmNode;
import io.muninn.api.Verdict;
import io.muninn.apps.SameBits;

/** RAYTRACE on one thread, and the comparison of other versions with its image. */
final class RaySequential {
    private RaySequential() {}

    static double[] render(RaySize size, DsmNode node) {
        RayTracer tracer = new RayTracer(size, RayScene.local(size));
        return size.tiles().alone(node, 1, _ -> tracer);
    }

    /** Compares the pixels of an image, tile by tile, with those of the sequential version. */
    static Verdict verify(RaySize size, DsmNode root, double[] results) {
        int side = size.tiles().side();
        return SameBits.verdict(
                "image of " + side + " by " + side + " pixels", results, render(size, root));
    }
}
