package io.muninn.kernel.port;

import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Event;

/**
 * What the traps of a node's applications do on their own, between the steps of its kernel: a trap
 * may make the twin of a page that its thread is about to store to.
 */
public interface Traps {
    /** Receives a page whose twin a trap has made, and the process of that trap. */
    interface TwinListener {
        void twinMade(MappingId mapping, PageId page);
    }

    /** Of a node whose applications have none. */
    Traps NONE =
            new Traps() {
                @Override
                public void beforeStep(Event event, TwinListener twins) {}

                @Override
                public void reportTwins(TwinListener twins) {}

                @Override
                public void afterStep(TwinListener twins) {}
            };

    /**
     * An outside event is about to be stepped: takes the pages that it is about from the traps.
     *
     * @param twins receives, in order, the twins that traps have made; each is stepped before the
     *     event
     */
    void beforeStep(Event event, TwinListener twins);

    /** Reports the twins that traps have made since, in the middle of a step. */
    void reportTwins(TwinListener twins);

    /** The event is handled, with the results of its effects. */
    void afterStep(TwinListener twins);
}
