package io.muninn.sync;

import io.muninn.spi.Effects;
import io.muninn.spi.GatedRelease;

/** The gate that everything passes on its way out of the node. */
@FunctionalInterface
public interface Releases {
    /**
     * Begins the release that must be performed before something leaves. The kernel calls the
     * manager back, in this step or a later one.
     */
    void begin(GatedRelease leaving, Effects out);
}
