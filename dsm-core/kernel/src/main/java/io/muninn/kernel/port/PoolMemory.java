package io.muninn.kernel.port;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.PoolCall;
import io.muninn.spi.PoolResult;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Memory that all nodes of a host address, as one node uses it: {@link PoolCall} is the contract of
 * the operations. None of them waits for another node, or for a thread.
 *
 * <p><b>Traps.</b> A trap of the node enters an offered page: it sets the node's bit in the map,
 * then records the entry for {@link Traps}, then copies the frame, then permits loads. The order
 * matters: an entry that {@link Traps#report} does not find has not copied yet.
 */
public interface PoolMemory {
    /** The pool of a node without one. Its kernel never uses it. */
    PoolMemory NONE =
            new PoolMemory() {
                private IllegalStateException none() {
                    return new IllegalStateException("the run has no pool");
                }

                @Override
                public void offer(PageId first, int count) {
                    throw none();
                }

                @Override
                public void fill(PageId page) {
                    throw none();
                }

                @Override
                public PoolResult.Entry enter(PageId page) {
                    throw none();
                }

                @Override
                public void writeBack(PageId page, MemorySegment diff) {
                    throw none();
                }

                @Override
                public boolean publish(PageId page) {
                    throw none();
                }

                @Override
                public List<PageId> takeMapped() {
                    throw none();
                }

                @Override
                public List<PageId> takeList() {
                    throw none();
                }

                @Override
                public boolean check(PageId page) {
                    throw none();
                }

                @Override
                public void leave(List<PageId> pages) {
                    throw none();
                }

                @Override
                public Served of(NodeId other) {
                    throw none();
                }
            };

    void offer(PageId first, int count);

    void fill(PageId page);

    PoolResult.Entry enter(PageId page);

    /**
     * Stores the granules of a diff to the frame.
     *
     * @param diff at least one byte, valid during the call
     */
    void writeBack(PageId page, MemorySegment diff);

    /**
     * @return true if the page has become unsafe
     */
    boolean publish(PageId page);

    /** Takes the frames of this node that others have entered: each page once, in any order. */
    List<PageId> takeMapped();

    /** Takes the weak list: each page once, in any order. */
    List<PageId> takeList();

    /**
     * @return true if the node's copy may be older than a publication
     */
    boolean check(PageId page);

    void leave(List<PageId> pages);

    /** The memory for the operations of a node of another host. */
    Served of(NodeId other);

    /** What this node does for another one, which must not use the memory itself. */
    interface Served {
        /**
         * @return true if the node must check the page at each acquire
         */
        boolean enter(PageId page);

        /**
         * Stores the first content of a frame.
         *
         * @param image empty for a page of zeros; valid during the call
         */
        void fill(PageId page, MemorySegment image);

        /** As {@link PoolMemory#writeBack}. */
        void writeBack(PageId page, MemorySegment diff);

        /** As {@link PoolMemory#publish}. */
        boolean publish(PageId page);

        /** Takes the weak list that the node has in this memory. */
        List<PageId> takeList();

        /** As {@link PoolMemory#check}. */
        boolean check(PageId page);

        void leave(List<PageId> pages);
    }
}
