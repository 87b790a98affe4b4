package io.muninn.apps.raytrace;

import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import java.util.Arrays;

/**
 * RAYTRACE with messages: each thread makes the whole scene for itself and renders a fixed share of
 * the tiles. Only pixels are sent.
 */
final class RayMessages {
    private RayMessages() {}

    static double[] render(RaySize size, DsmNode node) {
        RayTracer tracer = new RayTracer(size, RayScene.local(size));
        int[] image = size.tiles().messages(node, new Exchange(node), tracer);
        return Arrays.stream(image).asDoubleStream().toArray();
    }
}
