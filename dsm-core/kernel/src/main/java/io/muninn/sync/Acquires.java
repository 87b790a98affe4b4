package io.muninn.sync;

import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;

/** The gate between messages of other nodes and threads. */
@FunctionalInterface
public interface Acquires {
    /**
     * Begins the acquire that must be performed before an item is delivered. The kernel calls the
     * manager back, in this step or a later one.
     *
     * @param cargo sent with the item
     */
    void begin(GatedAcquire acquire, Cargo cargo, Effects out);
}
