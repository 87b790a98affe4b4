package io.muninn.sync;

import io.muninn.spi.Effects;
import io.muninn.spi.GatedRelease;

/** The gate between threads and messages to other nodes. */
@FunctionalInterface
public interface Releases {
    /**
     * Begins the release that must be performed before a message leaves. The kernel calls the
     * manager back, in this step or a later one.
     */
    void begin(GatedRelease leaving, Effects out);
}
