package io.muninn.spi;

import io.muninn.model.PageId;

/** What a timer is for. Arming a timer again moves it. */
public sealed interface TimerId {
    /** A page was held long enough for the thread that faulted to have used it. */
    record HoldOver(PageId page) implements TimerId {}

    /** A waiter has waited as long as it said it would. */
    record WaitOver(WaiterId waiter) implements TimerId {}

    /** What was released inside the node is flushed now, so that readers who poll see it. */
    record FlushDue() implements TimerId {}
}
