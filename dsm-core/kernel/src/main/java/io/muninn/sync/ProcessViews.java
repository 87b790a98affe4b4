package io.muninn.sync;

import io.muninn.model.MappingId;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.ViewMark;

/**
 * The views of a node's processes, for locks that pass from one of them to another: what a thread
 * has released, the next holder must have seen.
 */
public interface ProcessViews {
    /** True if the node has several processes. */
    boolean areSeveral();

    /**
     * The intervals of other nodes that a process has seen; {@link MappingId#ALL} for those that
     * any has seen.
     */
    VectorTimestamp of(MappingId process);

    /** The name of that view at this time. */
    ViewMark mark(MappingId process);

    /** Begins an acquire within the node, of everything that the timestamp covers. */
    void begin(GatedAcquire acquire, VectorTimestamp until, Effects out);
}
