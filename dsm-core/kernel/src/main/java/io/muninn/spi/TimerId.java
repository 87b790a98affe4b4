package io.muninn.spi;

import io.muninn.model.PageId;

/** The purpose of a timer. Arming a timer again replaces its time. */
public sealed interface TimerId {
    /** A page was held long enough for the faulting thread to have used it. */
    record HoldOver(PageId page) implements TimerId {}

    /** The time limit of a waiter has elapsed. */
    record WaitOver(WaiterId waiter) implements TimerId {}

    /** Words that other nodes wait for may have changed without a call. */
    record RemoteCheck() implements TimerId {}

    /** Stores released inside the node are flushed now, so that polling readers see them. */
    record FlushDue() implements TimerId {}
}
