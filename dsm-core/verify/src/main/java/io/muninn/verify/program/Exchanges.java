package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import java.util.List;
import java.util.Random;

/**
 * Writes a random program whose nodes flush the same pages at the same time, as in an exchange of
 * FFT: in each round most nodes store to words of their own on a page or two, or on more than go in
 * one batch, and all send a letter at once, which lets the stores leave. Some look at the page
 * afterwards, most do not: with a short window copies are given up while updates of their own nodes
 * are under way, to nodes that give theirs up as well.
 *
 * <p>Loads are ordered by nothing; they may be older than the last store, never than an earlier
 * load.
 */
final class Exchanges {
    /** The protocol of its region. */
    static final Protocol PROTOCOL = Protocol.WRITE_SHARED;

    private static final int PAGES_FEW = 2;
    private static final int PAGES_MIN = 9; // more than go in one batch
    private static final int PAGES_MAX = 16;
    private static final int ROUNDS_MIN = 5;
    private static final int ROUNDS_MAX = 20;
    private static final int ROUNDS_OF_FEW = 3; // times as many
    private static final int WORK_NANOS_MAX = 60_000;
    private static final int GLANCE_ONE_IN = 4;
    private static final int IDLE_ONE_IN = 4;
    private static final int PAUSE_ONE_IN = 3;

    private final Random random;
    private final int nodes;
    private final long holdNanos;
    private final boolean isOfMany;
    private final int pages;
    private final Scripts scripts;
    private long lastValue;
    private long lastSerial;

    private Exchanges(long seed, int nodes, long holdNanos) {
        random = new Random(seed);
        this.nodes = nodes;
        this.holdNanos = holdNanos;
        isOfMany = random.nextBoolean();
        pages =
                isOfMany
                        ? PAGES_MIN + random.nextInt(PAGES_MAX - PAGES_MIN)
                        : 1 + random.nextInt(PAGES_FEW);
        scripts = new Scripts(nodes);
    }

    /**
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, int nodes, long holdNanos) {
        return new Exchanges(seed, nodes, holdNanos).write();
    }

    private Program write() {
        int rounds =
                (ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN))
                        * (isOfMany ? 1 : ROUNDS_OF_FEW);
        for (int round = 0; round < rounds; round++) {
            int unit = scripts.beginUnit();
            int distance = 1 + random.nextInt(nodes - 1);
            for (int node = 0; node < nodes; node++) {
                prepare(unit, node);
                int to = (node + distance) % nodes;
                scripts.add(unit, node, new Op.Send(to, tag(node, to), ++lastSerial));
            }
            for (int node = 0; node < nodes; node++) {
                int from = Math.floorMod(node - distance, nodes);
                scripts.add(unit, node, new Op.Receive(from, tag(from, node)));
            }
        }
        RegionSpec region =
                new RegionSpec(
                        0,
                        "words",
                        PROTOCOL,
                        0,
                        (long) pages * RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        List.of());
        return new Program(nodes, 1, holdNanos, List.of(region), List.of(), scripts.all());
    }

    private void prepare(int unit, int node) {
        if (random.nextInt(PAUSE_ONE_IN) == 0) {
            scripts.add(unit, node, new Op.Work(random.nextInt(WORK_NANOS_MAX)));
        }
        for (int page = 0; page < pages; page++) {
            if (random.nextInt(GLANCE_ONE_IN) == 0) {
                scripts.load(unit, node, wordOf(random.nextInt(nodes), page));
            }
            if (random.nextInt(IDLE_ONE_IN) > 0) {
                scripts.add(unit, node, new Op.Store(wordOf(node, page), ++lastValue));
            }
        }
    }

    private int tag(int from, int to) {
        return from * nodes + to;
    }

    private static Variable wordOf(int node, int page) {
        return new Variable(new PageId(0, page), node * Long.BYTES, Long.BYTES);
    }
}
