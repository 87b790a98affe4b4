package io.muninn.kernel.port;

import io.muninn.model.PageId;
import io.muninn.spi.Event;
import java.util.function.Consumer;

/**
 * What the traps of an application do on their own, between the steps of its node's kernel: a trap
 * may make the twin of a page that its thread is about to store to.
 */
public interface Traps {
    /** Of an application without. */
    Traps NONE =
            new Traps() {
                @Override
                public void beforeStep(Event event, Consumer<PageId> twinMade) {}

                @Override
                public void reportTwins(Consumer<PageId> twinMade) {}

                @Override
                public void afterStep(Consumer<PageId> twinMade) {}
            };

    /**
     * An outside event is about to be stepped: takes the pages that it is about from the traps.
     *
     * @param twinMade receives, in order, the pages whose twins traps have made; each is stepped
     *     before the event
     */
    void beforeStep(Event event, Consumer<PageId> twinMade);

    /** Reports the twins that traps have made since, in the middle of a step. */
    void reportTwins(Consumer<PageId> twinMade);

    /** The event is handled, with the results of its effects. */
    void afterStep(Consumer<PageId> twinMade);
}
