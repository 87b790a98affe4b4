package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;

/** Stores to a read-only variable after initialization. */
public final class WritesReadOnly implements DsmProgram {
    @Shared(Protocol.READ_ONLY)
    private final LongArray constants = LongArray.of(4);

    @Override
    public void initialize(DsmNode root) {
        constants.set(0, 42);
    }

    @Override
    public void run(DsmNode node) {
        System.out.println("read " + constants.get(0));
        node.barrier("read").await();
        if (node.id() == node.nodes() - 1) {
            constants.set(0, 43);
        }
        node.barrier("never").await();
    }
}
