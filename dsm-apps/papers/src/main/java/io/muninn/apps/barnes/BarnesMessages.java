package io.muninn.apps.barnes;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Both programs with messages: each thread has all bodies and builds the whole tree, so that it
 * knows the zones of all threads. It computes the forces on the bodies of its zone, and sends these
 * bodies to all other threads.
 */
final class BarnesMessages {
    private BarnesMessages() {}

    static double[] run(BarnesSize size, DsmNode node) {
        DoubleArray bodies = DoubleArray.local(Bodies.length(size));
        Bodies.place(size, bodies);
        Octree tree = Octree.local(size, bodies);
        Gravity gravity = new Gravity(size, bodies, tree);
        Exchange exchange = new Exchange(node);
        int[] all = IntStream.range(0, size.bodies()).toArray();
        int[][] zones = new int[node.positions()][];
        for (int step = 0; step < size.steps(); step++) {
            BarnesSequential.build(tree, all, Bodies.drift(bodies, all));
            Arrays.setAll(zones, thread -> tree.zone(thread, zones.length));
            int[] mine = zones[node.position()];
            Bodies.kick(bodies, mine, gravity.on(mine, node));
            share(exchange, bodies, zones, node.position());
        }
        return node.position() == 0 ? Bodies.all(bodies) : new double[0];
    }

    /** Sends each thread's zone to all threads. */
    private static void share(Exchange exchange, DoubleArray bodies, int[][] zones, int position) {
        double[][] records = new double[zones.length][];
        Arrays.setAll(records, thread -> new double[Bodies.WIDTH * zones[thread].length]);
        double[] mine = records[position].clone();
        for (int i = 0; i < zones[position].length; i++) {
            bodies.copyTo(Bodies.WIDTH * zones[position][i], mine, Bodies.WIDTH * i, Bodies.WIDTH);
        }
        exchange.share(
                MemorySegment.ofArray(mine),
                Arrays.stream(records).map(MemorySegment::ofArray).toArray(MemorySegment[]::new));
        for (int thread = 0; thread < zones.length; thread++) {
            for (int i = 0; i < zones[thread].length; i++) {
                int record = Bodies.WIDTH * zones[thread][i];
                bodies.copyFrom(record, records[thread], Bodies.WIDTH * i, Bodies.WIDTH);
            }
        }
    }
}
