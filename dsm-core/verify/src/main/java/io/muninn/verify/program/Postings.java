package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.ObjectId;
import io.muninn.sync.ShippedCalls;
import java.util.List;
import java.util.Random;

/**
 * Generates a program whose threads post more calls than a node may have in progress: threads of
 * one node post calls of an object that its node declares late, so callers have to wait.
 */
final class Postings {
    static final Protocol PROTOCOL = Protocol.WRITE_SHARED;

    private static final int THREADS = 2;
    private static final int MORE_MAX = 40;
    private static final int LATE_NANOS = 50_000_000;
    private static final long FINGERPRINT = 1;
    private static final ObjectId OBJECT = new ObjectId("object");

    private Postings() {}

    /**
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, int nodes, long holdNanos) {
        Random random = new Random(seed);
        Scripts scripts = new Scripts(nodes * THREADS);
        int home = random.nextInt(nodes);
        int caller = random.nextInt(nodes);
        for (int node = 0; node < nodes; node++) {
            int unit = scripts.beginUnit();
            scripts.add(unit, node * THREADS, new Op.Work(LATE_NANOS));
            scripts.add(unit, node * THREADS, new Op.Declare(OBJECT, home, FINGERPRINT));
        }
        int calls = ShippedCalls.POSTED_MAX + 1 + random.nextInt(MORE_MAX);
        for (int serial = 1; serial <= calls; serial++) {
            int unit = scripts.beginUnit();
            int thread = caller * THREADS + 1;
            scripts.add(unit, thread, new Op.Ship(OBJECT, home, FINGERPRINT, serial, true));
            scripts.add(unit, thread, new Op.Return(OBJECT, serial));
        }
        return new Program(nodes, THREADS, holdNanos, List.of(region()), List.of(), scripts.all());
    }

    private static RegionSpec region() {
        return new RegionSpec(
                0, "words", PROTOCOL, 0, RegionSpec.MACHINE_PAGE_BYTES, Long.BYTES, 1, List.of());
    }
}
