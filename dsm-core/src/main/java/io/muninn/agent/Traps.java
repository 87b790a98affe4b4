package io.muninn.agent;

import io.muninn.model.PageId;
import io.muninn.protocol.Event;
import java.util.function.Consumer;

/** What the traps of an application do on their own, between the steps of its agent's kernel. */
interface Traps {
    /** Of an application without. */
    Traps NONE =
            new Traps() {
                @Override
                public void beforeStep(Event event, Consumer<PageId> twinMade) {}

                @Override
                public void tellDirtied(Consumer<PageId> twinMade) {}

                @Override
                public void afterStep() {}
            };

    /**
     * Takes the pages that an outside event is about from the traps.
     *
     * @param twinMade is told, in order, of pages whose twins traps have made; the kernel hears of
     *     each before the event
     */
    void beforeStep(Event event, Consumer<PageId> twinMade);

    /** Tells of the twins that traps have made since, in the middle of a step. */
    void tellDirtied(Consumer<PageId> twinMade);

    /** The event is handled, with the results of its effects. */
    void afterStep();
}
