package io.muninn.spi;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import java.util.List;

/** The result of a {@link PoolCall}. */
public sealed interface PoolResult {
    /** How a page was entered. */
    enum Entry {
        /** The node is a mapper. */
        SAFE,
        /** The node is a mapper, and must check the page at each acquire until it leaves it. */
        UNSAFE,
        /** A thread's trap is entering the page, or has: {@link Event.PageEntered} follows. */
        BY_TRAP
    }

    record Entered(PageId page, Entry entry) implements PoolResult {}

    /**
     * Stores are in their frames, and every mapper that needs a notice has it.
     *
     * @param unsafe pages that have become unsafe: the node must check those that it maps at each
     *     acquire
     */
    record Published(List<PoolCall.Stores> stores, List<PageId> unsafe) implements PoolResult {
        public Published {
            stores = List.copyOf(stores);
            unsafe = List.copyOf(unsafe);
        }
    }

    /**
     * Other nodes have entered frames of this node. Copies of all others that they make contain
     * what this node has stored until now.
     */
    record Mapped(List<PageId> pages) implements PoolResult {
        public Mapped {
            pages = List.copyOf(pages);
        }
    }

    /**
     * The node's weak list was taken. Every page that a trap has copied before is reported before
     * this result.
     *
     * @param pages whose copies may be older than a publication
     */
    record Listed(List<PageId> pages) implements PoolResult {
        public Listed {
            pages = List.copyOf(pages);
        }
    }

    /**
     * @param stale checked pages whose copies may be older than a publication
     */
    record Checked(List<PageId> stale) implements PoolResult {
        public Checked {
            stale = List.copyOf(stale);
        }
    }

    /** The result of a {@link PoolCall.Store} or {@link PoolCall.StoreFirst}. */
    record Stored(long number, List<PageId> unsafe) implements PoolResult {
        public Stored {
            unsafe = List.copyOf(unsafe);
        }
    }

    /** The result of an operation that was performed for another node. */
    record Served(NodeId node, PoolResult result) implements PoolResult {}
}
