package io.muninn.spi;

import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.util.List;
import java.util.Optional;

/** A message about pages, for the protocol that they follow, or for one that it names. */
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

    /** Ends the receiver's copies. */
    interface Invalidation extends ProtocolMessage {}

    /** Says that what its receiver sent has been done. */
    interface Acknowledgement extends ProtocolMessage {}

    /**
     * The pages it is about, in the order in which it names them; of one protocol, at least one
     * unless {@link #addressee} is there.
     */
    List<PageId> pages();

    /**
     * The pages whose bytes, or what threads may do to them, may change or be read by the effects
     * of its arrival: before, no thread's own trap may be at work on them.
     */
    default List<PageId> pagesTouched() {
        return List.of();
    }

    /**
     * The event that its arrival is for each of its pages: a column of the protocol's state × event
     * table. Empty if the arrival belongs to no page's state.
     */
    default String tableEvent() {
        return getClass().getSimpleName();
    }

    /** The protocol that it is for, if its pages do not tell. */
    default Optional<Protocol> addressee() {
        return Optional.empty();
    }

    /** The first of them; its region tells the protocol. */
    default PageId firstPage() {
        return pages().getFirst();
    }
}
