package io.muninn.kernel.port;

import io.muninn.api.remote.WordCondition;
import io.muninn.spi.Bytes;

/**
 * The words of remote variables of which this node is a home. Application processes access them at
 * the same time, so every operation is an atomic one.
 */
public interface RemoteMemory {
    /** The memory of a node without remote variables. */
    RemoteMemory NONE =
            new RemoteMemory() {
                @Override
                public Bytes perform(Bytes operations) {
                    throw new IllegalArgumentException("this node has no remote variables");
                }

                @Override
                public boolean holds(WordCondition condition) {
                    throw new IllegalArgumentException("this node has no remote variables");
                }
            };

    /**
     * Performs operations, once, in order.
     *
     * @param operations as {@link io.muninn.api.remote.RemoteOperations}
     * @return their answer
     * @throws IllegalArgumentException if they name words that are not in memory
     */
    Bytes perform(Bytes operations);

    /** Whether a condition holds now. */
    boolean holds(WordCondition condition);
}
