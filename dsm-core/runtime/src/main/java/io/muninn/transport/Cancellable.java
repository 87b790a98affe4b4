package io.muninn.transport;

/** Something arranged with the event loop that can be called off. */
public interface Cancellable {
    /** Ends the arrangement; its callback does not run any more. A second call does nothing. */
    void cancel();
}
