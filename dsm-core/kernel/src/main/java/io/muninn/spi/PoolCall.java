package io.muninn.spi;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * An operation on memory that all nodes of a host address: the frames of pages, their coherent map,
 * and the weak list of each node of the run. It is performed at once and sends no message. The
 * map's part of each is specified at {@link io.muninn.pool.CoherentMap}.
 */
public sealed interface PoolCall {
    /**
     * Permits the traps of this node's threads to enter absent pages by themselves: {@link
     * Event.PageEntered}. No result.
     */
    record Offer(PageId first, int count) implements PoolCall {}

    /**
     * Copies a present page, to which no thread can store, to its frame, which has no mapper and is
     * not here. No result.
     */
    record Fill(PageId page) implements PoolCall {}

    /**
     * Takes an absent page from the traps, enters the node as its mapper, and tells its home. A
     * {@link io.muninn.wire.Payload.PoolFrame} that is read later is the copy. {@link
     * PoolResult.Entered}.
     */
    record Enter(PageId page) implements Servable {}

    /**
     * For each page, in order: writes its stores back to the frame, then publishes them. {@link
     * PoolResult.Published}.
     */
    record Publish(List<Stores> stores) implements PoolCall {
        public Publish {
            stores = List.copyOf(stores);
        }
    }

    /**
     * Stores to a page.
     *
     * @param number of the publication
     * @param areSaved whether they are saved as the diff of the interval {@code number}; otherwise
     *     they follow later
     * @param announces whether they are published, and not only written back
     */
    record Stores(PageId page, long number, boolean areSaved, boolean announces) {}

    /**
     * Takes the frames of this node that other nodes have entered since it did so last. {@link
     * PoolResult.Mapped}.
     */
    record TakeMapped() implements PoolCall {}

    /** Takes the node's weak list. {@link PoolResult.Listed}. */
    record TakeList() implements Servable {}

    /** Checks pages that were unsafe when the node entered them. {@link PoolResult.Checked}. */
    record Check(List<PageId> pages) implements Servable {
        public Check {
            pages = List.copyOf(pages);
        }
    }

    /**
     * Removes the node from the mappers of pages, whose copies it has discarded, then permits traps
     * to enter them again. At the home of a page it ends a publication. No result.
     */
    record Leave(List<PageId> pages) implements Servable {
        public Leave {
            pages = List.copyOf(pages);
        }
    }

    /**
     * Performs an operation of a node of another host, which cannot address this memory. Traps have
     * no part in it. {@link PoolResult.Served}, unless the operation has no result.
     */
    record Serve(NodeId node, Servable call) implements PoolCall {}

    /** An operation that can be performed for another node. */
    sealed interface Servable extends PoolCall {}

    /**
     * For each page, in order: stores a received diff to the frame, if there is one, then publishes
     * the page. {@link PoolResult.Stored}.
     *
     * @param number of the publication
     * @param announces whether they are published, and not only written back
     */
    record Store(long number, List<Received> stores, boolean announces) implements Servable {
        public Store {
            stores = List.copyOf(stores);
        }
    }

    /**
     * Stores to a page, as received.
     *
     * @param diff {@link Payload#NONE} if they follow later
     */
    record Received(PageId page, Payload diff) {}

    /**
     * Stores a received image to a frame, which has no mapper. {@link PoolResult.Stored}.
     *
     * @param number of the publication
     */
    record StoreFirst(long number, PageId page, Payload image) implements Servable {}
}
