package io.muninn.bench.live;

import io.muninn.api.DsmNode;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.List;

/**
 * Pages to which one node stores, under a protocol whose acquires invalidate copies. If the pages
 * have homes, that node is their home. A section allocates them last, since lock and barrier
 * messages carry more cargo from then on.
 *
 * @param array pages of all nodes
 * @param first index of the first page of the storing node
 */
record LatePages(LongArray array, int first) {
    /** Protocols whose acquires invalidate copies. */
    static final List<Protocol> PROTOCOLS = ProtocolKind.with(Trait.ACQUIRES_INVALIDATE);

    /**
     * Those of {@link #PROTOCOLS} that push no data at barriers, so that the first load after a
     * barrier always waits.
     */
    static final List<Protocol> WITHOUT_PUSHES =
            PROTOCOLS.stream()
                    .filter(protocol -> !ProtocolKind.with(Trait.PUSHES).contains(protocol))
                    .toList();

    /**
     * Allocates {@code count} pages for every node and returns the pages of one. Collective.
     *
     * @param owner the node that stores
     */
    static LatePages of(int owner, DsmNode node, String name, int count, Protocol protocol) {
        int elements = node.nodes() * count * PageOrder.PAGE_ELEMENTS;
        LongArray array =
                node.allocate(name + "-" + protocol.word(), LongArray.of(elements), protocol);
        return new LatePages(array, owner * count);
    }

    /** The index of the first element of a page. */
    int element(int page) {
        return (first + page) * PageOrder.PAGE_ELEMENTS;
    }

    void store(int pages, long value) {
        for (int page = 0; page < pages; page++) {
            array.setVolatile(element(page), value);
        }
    }

    /** Loads from pages and checks the values. */
    void load(int pages, long value) {
        for (int page = 0; page < pages; page++) {
            TimedAccess.load(array, element(page), value);
        }
    }
}
