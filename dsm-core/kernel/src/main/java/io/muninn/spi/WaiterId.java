package io.muninn.spi;

import io.muninn.model.MappingId;

/**
 * One application thread, which waits for at most one reply at a time.
 *
 * @param mapping the thread's process
 * @param thread from 0
 */
public record WaiterId(MappingId mapping, int thread) {
    /** Written by hand for the reason given in {@link io.muninn.model.PageId#equals}. */
    @Override
    public boolean equals(Object other) {
        return other instanceof WaiterId waiter
                && waiter.thread == thread
                && waiter.mapping.index() == mapping.index();
    }

    @Override
    public int hashCode() {
        return 31 * mapping.index() + thread;
    }

    @Override
    public String toString() {
        return "thread " + thread;
    }
}
