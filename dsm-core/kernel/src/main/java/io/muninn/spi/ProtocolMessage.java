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
 * numbered from 0, in the order in which the message names them.
 */
public interface ProtocolMessage extends WireMessage {
    /** Requests pages for its sender. */
    interface Request extends ProtocolMessage {
        /** The node that receives the pages. */
        default NodeId askedBy(NodeId sender) {
            return sender;
        }
    }

    /** Requests pages, and may be forwarded by nodes that cannot reply. */
    interface ForwardedRequest extends Request {
        /** The node that sent the request first. */
        NodeId asker();

        @Override
        default NodeId askedBy(NodeId sender) {
            return asker();
        }
    }

    /** A reply to a request: contains pages. */
    interface Reply extends ProtocolMessage {
        /** The content of one of its pages. */
        Payload imageOf(PageId page);

        /** True if its receiver owns one of its pages from now on. */
        default boolean givesOwnership(PageId page) {
            return false;
        }
    }

    /** Requests stores to pages. */
    interface StoresRequest extends Request {}

    /** A reply to a {@link StoresRequest}. */
    interface StoresReply extends ProtocolMessage {}

    /** Contains stores of its sender for the receiver's copies. */
    interface Flush extends ProtocolMessage {}

    /** Ends the receiver's copies. */
    interface Invalidation extends ProtocolMessage {}

    /** Acknowledges a message of its receiver. */
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

    /** Number of pages, of one protocol: at least one unless there is an {@link #addressee}. */
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
     * True if the effects of its arrival may read or change the bytes of its pages, or their
     * access. Then these pages must be frozen against traps before the message is stepped.
     */
    default boolean touchesPages() {
        return false;
    }

    /**
     * The event of its arrival for each of its pages: a column of the protocol's state × event
     * table. Empty if the arrival belongs to no page's state.
     */
    default String tableEvent() {
        return getClass().getSimpleName();
    }

    /** The receiving protocol, if its pages do not determine it. */
    default Optional<Protocol> addressee() {
        return Optional.empty();
    }
}
