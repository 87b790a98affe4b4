package io.muninn.kernel.port;

import io.muninn.model.MappingId;
import io.muninn.model.PageId;
import io.muninn.spi.Event;
import io.muninn.spi.PageLoads;
import java.util.List;

/**
 * The independent actions of a node's applications between the steps of its kernel: a trap may make
 * the twin of a page that its thread is about to store to, or enter an absent page of a pool.
 */
public interface Traps {
    /** Receives what traps have done; of one page, its entry before its twin. */
    interface Listener {
        /** A trap of this process has made the twin of a page. */
        void twinMade(MappingId mapping, PageId page);

        /**
         * A trap of this process has entered a page, which was offered.
         *
         * @param isChecked as in {@link Event.PageEntered}
         */
        default void entered(MappingId mapping, PageId page, boolean isChecked) {
            throw new IllegalStateException("page " + page + " was not offered for entering");
        }

        /** Threads have loaded these granules, in a run that checks for races. */
        default void loaded(List<PageLoads> loads) {
            throw new IllegalStateException("nobody looks for races: " + loads);
        }
    }

    /** The traps of a node whose applications have none. */
    Traps NONE =
            new Traps() {
                @Override
                public void beforeStep(Event event, Listener listener) {}

                @Override
                public void report(Listener listener) {}

                @Override
                public void afterStep(Listener listener) {}
            };

    /**
     * Called before an outside event is stepped: freezes its pages against traps.
     *
     * @param listener receives, in order, what traps have done; it is stepped before the event
     */
    void beforeStep(Event event, Listener listener);

    /** Reports what traps have done since, in the middle of a step. */
    void report(Listener listener);

    /** Called when the event is handled, with the results of its effects. */
    void afterStep(Listener listener);
}
