package io.muninn.sync;

import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;

/** The gate that everything passes on its way from another node to a thread. */
@FunctionalInterface
public interface Acquires {
    /**
     * Begins the acquire that must be performed before something is handed on. The kernel calls the
     * manager back, in this step or a later one.
     *
     * @param cargo what the sender sent along
     */
    void begin(GatedAcquire acquire, Cargo cargo, Effects out);
}
