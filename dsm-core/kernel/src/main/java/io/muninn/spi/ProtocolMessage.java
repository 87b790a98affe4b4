package io.muninn.spi;

import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A message about pages, for the protocol that they follow, or for one that it names. Pages are
 * numbered, from 0, in the order in which the message names them.
 */
public interface ProtocolMessage extends WireMessage {
    /** Asks for pages, on behalf of its sender. */
    interface Request extends ProtocolMessage {
        /** The node to which the pages are to be sent. */
        default NodeId askedBy(NodeId sender) {
            return sender;
        }
    }

    /** Asks for pages, and may be sent on by nodes that cannot answer. */
    interface ForwardedRequest extends Request {
        /** The node that asked first. */
        NodeId asker();

        @Override
        default NodeId askedBy(NodeId sender) {
            return asker();
        }
    }

    /** Answers a request: gives pages. */
    interface Reply extends ProtocolMessage {
        /** The content that it gives of one of its pages. */
        Payload imageOf(PageId page);

        /** True if its receiver owns one of its pages from now on. */
        default boolean givesOwnership(PageId page) {
            return false;
        }
    }

    /** Asks for stores to pages. */
    interface StoresRequest extends Request {}

    /** Answers a {@link StoresRequest}. */
    interface StoresReply extends ProtocolMessage {}

    /** Brings stores of its sender to the receiver's copies. */
    interface Flush extends ProtocolMessage {}

    /** Ends the receiver's copies. */
    interface Invalidation extends ProtocolMessage {}

    /** Says that what its receiver sent has been done. */
    interface Acknowledgement extends ProtocolMessage {}

    /** A message about one page. */
    interface OfOnePage extends ProtocolMessage {
        PageId page();

        @Override
        default int pageCount() {
            return 1;
        }

        @Override
        default PageId page(int index) {
            Objects.checkIndex(index, 1);
            return page();
        }
    }

    /** Number of pages, of one protocol: at least one unless {@link #addressee} is there. */
    int pageCount();

    /**
     * One of the pages; allocates nothing.
     *
     * @throws IndexOutOfBoundsException if it has fewer
     */
    PageId page(int index);

    /** All of them, in order. */
    default List<PageId> pages() {
        List<PageId> pages = new ArrayList<>(pageCount());
        for (int i = 0; i < pageCount(); i++) {
            pages.add(page(i));
        }
        return pages;
    }

    /**
     * Whether the effects of its arrival may read or change the bytes of its pages, or their
     * access. No thread's own trap may be at work on them then.
     */
    default boolean touchesPages() {
        return false;
    }

    /**
     * The event that its arrival is for each of its pages: a column of the protocol's state × event
     * table. Empty if the arrival belongs to no page's state.
     */
    default String tableEvent() {
        return getClass().getSimpleName();
    }

    /** The protocol that it is for, if its pages do not determine it. */
    default Optional<Protocol> addressee() {
        return Optional.empty();
    }
}
