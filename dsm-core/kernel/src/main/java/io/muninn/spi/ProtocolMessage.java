package io.muninn.spi;

import io.muninn.api.Protocol;
import io.muninn.model.PageId;
import io.muninn.wire.WireMessage;
import java.util.List;
import java.util.Optional;

/** A message about pages, for the protocol that they follow, or for one that it names. */
public interface ProtocolMessage extends WireMessage {
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

    /** The protocol that it is for, if its pages do not tell. */
    default Optional<Protocol> addressee() {
        return Optional.empty();
    }

    /** The first of them; its region tells the protocol. */
    default PageId firstPage() {
        return pages().getFirst();
    }
}
