package io.muninn.transport.loop;

/** A registration or timer of the event loop that can be cancelled. */
public interface Cancellable {
    /** Cancels it; its callback no longer runs. A second call has no effect. */
    void cancel();
}
