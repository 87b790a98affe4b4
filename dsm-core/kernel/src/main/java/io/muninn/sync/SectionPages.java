package io.muninn.sync;

import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effects;

/** The pages that threads use while they hold a lock, which travel with its token. */
public interface SectionPages {
    /**
     * Called before this node passes a lock's token on: none of its threads is inside a section.
     * Pages are sent before the token.
     *
     * @return the records of these pages for the next node, for the grant
     */
    Bytes passing(LockId lock, NodeId to, Effects out);

    /** Called when a lock's token has arrived, after the pages that travelled with it. */
    void granted(LockId lock, Bytes known);
}
