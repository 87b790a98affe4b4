package io.muninn.coherence.weak;

import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.ProtocolViolation;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * The frames of all pages, their coherent map and the weak lists, as one node uses them. Every
 * operation has a result, in the same step or a later one. Operations on a page take effect in
 * order.
 */
interface Pool {
    /** Receives the results. */
    interface Results {
        /**
         * The node is a mapper of the page, whose frame was copied after that.
         *
         * @param isChecked the node must check the page at each acquire, because it is unsafe
         * @param isListed the page is on the node's weak list
         */
        void entered(PageId page, boolean isChecked, boolean isListed, Payload image, Effects out);

        /** The first content of a page is in its frame. Only of pools. */
        default void filled(PageId page, Effects out) {
            throw new ProtocolViolation("page=" + page + " event=filled: of a page at its home");
        }

        /**
         * Other nodes have entered frames that this node uses in place.
         *
         * @param pages all of them since the last such result
         */
        void mapped(List<PageId> pages, Effects out);

        /**
         * Stores are in their frame, and every mapper that needs a notice of them has it.
         *
         * @param number as in {@link Stores}
         */
        void published(long number, Effects out);

        /**
         * The list of the node was taken.
         *
         * @param pages whose copies may be older than a publication
         */
        void listTaken(List<PageId> pages, Effects out);

        /**
         * All pages were checked.
         *
         * @param stale those whose copies may be older than a publication
         */
        void checked(List<PageId> stale, Effects out);
    }

    /**
     * Stores to a page, which are saved as a diff of the interval {@code number}.
     *
     * @param number of the publication
     * @param bytes length of the diff, at least 1
     */
    record Stores(PageId page, long number, int bytes) {}

    /** Enters the node as a mapper of a page, then copies its frame. */
    void enter(PageId page, Effects out);

    /**
     * Takes the frames of this node that other nodes have entered, behind the stores of a release.
     * Only a pool that all nodes address records them.
     */
    void takeMapped(Effects out);

    /** Writes stores back to their frames, and publishes them, unless they are announced. */
    void publish(List<Stores> stores, Effects out);

    /**
     * Publishes pages whose stores are in the frames, or follow with the next {@link #publish}. The
     * result comes for each of them.
     */
    void announce(List<PageId> pages, long number, Effects out);

    /** Takes the node's weak list, behind the grant of an acquire. */
    void takeList(Effects out);

    /**
     * Checks pages that were unsafe when the node entered them.
     *
     * @param pages at least one
     */
    void check(List<PageId> pages, Effects out);

    /** Removes the node from the mappers of pages, whose copies it has discarded. No result. */
    void leave(List<PageId> pages, Effects out);
}
