package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import java.util.List;
import java.util.Random;

/**
 * Generates a random program whose letters overtake invalidations. One thread stores to words on a
 * few pages and sends a letter to another, which sends one to a third, and so on; each loads some
 * of the words. A value must not be older than the letter, even if the invalidation of the copy is
 * slower than the letters. The last receiver stores next, so there are no data races among these
 * threads.
 *
 * <p>On every node another thread loads words all the time without any letter: so all nodes have
 * copies, some of them just obtained. This thread may see old values.
 */
final class Relay {
    private static final int PAGES = 6;
    private static final int THREADS = 2;
    private static final int ROUNDS_MIN = 20;
    private static final int ROUNDS_MAX = 60;
    private static final int WORDS_MAX = 3;
    private static final int LEGS_MAX = 4;
    private static final int WORK_NANOS_MAX = 30_000;

    private final Random random;
    private final Protocol protocol;
    private final int nodes;
    private final long holdNanos;
    private final Scripts scripts;
    private long lastValue;
    private long lastSerial;

    private Relay(long seed, Protocol protocol, int nodes, long holdNanos) {
        random = new Random(seed);
        this.protocol = protocol;
        this.nodes = nodes;
        this.holdNanos = holdNanos;
        scripts = new Scripts(nodes * THREADS);
    }

    /**
     * @param protocol of its region
     * @param nodes at least 2
     * @return the same program for the same arguments
     */
    static Program of(long seed, Protocol protocol, int nodes, long holdNanos) {
        return new Relay(seed, protocol, nodes, holdNanos).write();
    }

    private Program write() {
        int rounds = ROUNDS_MIN + random.nextInt(ROUNDS_MAX - ROUNDS_MIN);
        int node = random.nextInt(nodes);
        for (int i = 0; i < rounds; i++) {
            List<Integer> pages =
                    random.ints(1 + random.nextInt(WORDS_MAX), 0, PAGES).boxed().toList();
            store(node, pages);
            for (int legs = 1 + random.nextInt(LEGS_MAX); legs > 0; legs--) {
                int next = (node + 1 + random.nextInt(nodes - 1)) % nodes;
                tell(node, next, pages);
                node = next;
            }
            poll();
        }
        return new Program(nodes, THREADS, holdNanos, List.of(region()), List.of(), scripts.all());
    }

    private void store(int node, List<Integer> pages) {
        int unit = scripts.beginUnit();
        for (int page : pages) {
            scripts.add(unit, node * THREADS, new Op.Store(word(page), ++lastValue));
        }
    }

    private void tell(int from, int to, List<Integer> pages) {
        int unit = scripts.beginUnit();
        int tag = from * nodes + to;
        scripts.add(unit, from * THREADS, new Op.Send(to, tag, ++lastSerial));
        scripts.add(unit, to * THREADS, new Op.Receive(from, tag));
        for (int page : pages) {
            if (random.nextBoolean()) {
                scripts.load(unit, to * THREADS, word(page));
            }
        }
    }

    private void poll() {
        for (int node = 0; node < nodes; node++) {
            int unit = scripts.beginUnit();
            int thread = node * THREADS + 1;
            scripts.add(unit, thread, new Op.Work(random.nextInt(WORK_NANOS_MAX)));
            for (int loads = random.nextInt(PAGES); loads > 0; loads--) {
                scripts.load(unit, thread, word(random.nextInt(PAGES)));
            }
        }
    }

    private static Variable word(int page) {
        return new Variable(new PageId(0, page), page * Long.BYTES, Long.BYTES);
    }

    private RegionSpec region() {
        return new RegionSpec(
                0,
                "words",
                protocol,
                0,
                PAGES * RegionSpec.MACHINE_PAGE_BYTES,
                Long.BYTES,
                1,
                RandomLayout.home(random, protocol),
                List.of());
    }
}
