package io.muninn.sync;

import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effects;

/** The pages that threads use while they hold a lock, which travel with its token. */
public interface SectionPages {
    /**
     * This node is about to pass a lock's token on: no thread of it is inside a section. Pages go
     * ahead of the token.
     *
     * @return what the next node has to know of them, for the grant
     */
    Bytes passing(LockId lock, NodeId to, Effects out);

    /** A lock's token has come, and the pages that travelled with it have come before. */
    void granted(LockId lock, Bytes known);
}
