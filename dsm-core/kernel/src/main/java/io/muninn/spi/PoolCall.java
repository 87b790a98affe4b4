package io.muninn.spi;

import io.muninn.model.PageId;
import java.util.List;

/**
 * An operation on memory that all nodes address: the frames of pages, their coherent map, and the
 * weak list of each node. It is performed at once and sends no message. The map's part of each is
 * specified at {@link io.muninn.pool.CoherentMap}.
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
    record Enter(PageId page) implements PoolCall {}

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
    record TakeList() implements PoolCall {}

    /** Checks pages that were unsafe when the node entered them. {@link PoolResult.Checked}. */
    record Check(List<PageId> pages) implements PoolCall {
        public Check {
            pages = List.copyOf(pages);
        }
    }

    /**
     * Removes the node from the mappers of pages, whose copies it has discarded, then permits traps
     * to enter them again. At the home of a page it ends a publication. No result.
     */
    record Leave(List<PageId> pages) implements PoolCall {
        public Leave {
            pages = List.copyOf(pages);
        }
    }
}
