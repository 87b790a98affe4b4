package io.muninn.sync;

import io.muninn.model.MappingId;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.ViewMark;

/**
 * The views of a node's processes. A process that gets a lock, letter, call or reply from another
 * process of its node must have seen what that process has seen.
 */
public interface ProcessViews {
    /** True if the node has several processes. */
    boolean areSeveral();

    /**
     * The intervals of other nodes that a process has seen; {@link MappingId#ALL} for those that
     * any has seen.
     */
    VectorTimestamp of(MappingId process);

    /**
     * True if a process, or for {@link MappingId#ALL} every process, has seen what the timestamp
     * covers: it need not acquire that within the node. Always true of a node with one process.
     */
    boolean covers(MappingId process, VectorTimestamp until);

    /**
     * True if a process has seen what another has seen. {@link MappingId#ALL} stands for every
     * process, or for what any of them has seen.
     */
    default boolean hasSeen(MappingId process, MappingId other) {
        return !areSeveral() || covers(process, of(other));
    }

    /** The name of that view at this time. */
    ViewMark mark(MappingId process);

    /** Begins an acquire within the node, of everything that the timestamp covers. */
    void begin(GatedAcquire acquire, VectorTimestamp until, Effects out);
}
