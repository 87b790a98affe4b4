package io.muninn.kernel;

import io.muninn.model.PageId;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.wire.WireMessage;

/**
 * Is notified of occurrences within the steps of a kernel, for checks; must not change anything.
 */
public interface StepObserver {
    StepObserver NONE = new StepObserver() {};

    /**
     * Called just before an acquired item is delivered, in the states that the acquire has
     * produced.
     */
    default void onAcquirePerformed(GatedAcquire acquire) {}

    /** Called just before the message of a performed release is sent. */
    default void onReleasePerformed(GatedRelease release) {}

    /** Called just before the node handles a message that it has sent to itself. */
    default void onOwnMessage(WireMessage message) {}

    /** See {@link Effects#pageEvent}. */
    default void onPageEvent(PageId page, String event) {}
}
