package io.muninn.kernel.port;

import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Event;

/**
 * The independent actions of a node's applications between the steps of its kernel: a trap may make
 * the twin of a page that its thread is about to store to.
 */
public interface Traps {
    /** Receives a page whose twin a trap has made, and the process of that trap. */
    interface TwinListener {
        void twinMade(MappingId mapping, PageId page);
    }

    /** The traps of a node whose applications have none. */
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
     * Called before an outside event is stepped: freezes its pages against traps.
     *
     * @param twins receives, in order, the twins that traps have made; each is stepped before the
     *     event
     */
    void beforeStep(Event event, TwinListener twins);

    /** Reports the twins that traps have made since, in the middle of a step. */
    void reportTwins(TwinListener twins);

    /** Called when the event is handled, with the results of its effects. */
    void afterStep(TwinListener twins);
}
