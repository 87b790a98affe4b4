package io.muninn.apps.raytrace;

import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;

/**
 * RAYTRACE with messages: each thread creates its own copy of the scene and renders a fixed share
 * of the tiles. Only pixels are sent.
 */
final class RayMessages {
    private RayMessages() {}

    static double[] render(RaySize size, DsmNode node) {
        RayTracer tracer = new RayTracer(size, RayScene.local(size));
        return size.tiles().messages(node, new Exchange(node), 1, _ -> tracer);
    }
}
