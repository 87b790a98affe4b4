package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program whose nodes flush the same pages at the same time, as in an exchange
 * of FFT. In each round most nodes store to words of their own on one or two pages, or on more than
 * fit one batch, and all send a letter at once, which flushes the stores. Few nodes load from the
 * page afterwards: with a short update timeout, nodes give up copies while their own updates are in
 * transit to nodes that give up theirs, too.
 *
 * <p>Loads are not ordered: a value may be older than the last store, never than that of an earlier
 * load.
 */
final class Exchanges {
    /** The protocol of its region. */
    static final Protocol PROTOCOL = Protocol.WRITE_SHARED;

    private static final int PAGES_FEW = 2;
    private static final int PAGES_MIN = 9; // more than fit one batch
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
