package io.muninn.bench.live;

import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.List;

/**
 * Pages that one node stores to in place, under a protocol of which copies are stale after an
 * acquire: where pages have homes, that node is theirs. A section allocates them after all others,
 * since locks and barriers carry more from then on.
 *
 * @param array of all nodes' pages
 * @param first of the node's own
 */
record LatePages(LongArray array, int first) {
    /** The protocols. */
    static final List<Protocol> PROTOCOLS = ProtocolKind.with(Trait.ACQUIRES_INVALIDATE);

    /**
     * Those that push nothing at barriers: under them the first load behind a barrier always waits.
     */
    static final List<Protocol> WITHOUT_PUSHES =
            PROTOCOLS.stream()
                    .filter(protocol -> !ProtocolKind.with(Trait.PUSHES).contains(protocol))
                    .toList();

    /**
     * Allocates as many for every node, and gives those of one. Collective.
     *
     * @param count of one node
     */
    static LatePages of(int owner, DsmNode node, String name, int count, Protocol protocol) {
        int elements = node.nodes() * count * PageOrder.PAGE_ELEMENTS;
        LongArray array =
                node.allocate(name + "-" + protocol.word(), LongArray.of(elements), protocol);
        return new LatePages(array, owner * count);
    }

    /** The first element of a page. */
    int element(int page) {
        return (first + page) * PageOrder.PAGE_ELEMENTS;
    }

    void store(int pages, long value) {
        for (int page = 0; page < pages; page++) {
            array.setVolatile(element(page), value);
        }
    }

    /** Loads from pages, and expects what was stored. */
    void load(int pages, long value) {
        for (int page = 0; page < pages; page++) {
            TimedAccess.load(array, element(page), value);
        }
    }
}
