package io.muninn.protocol;

import io.muninn.model.MappingId;

/**
 * One application thread, which waits for at most one thing at a time.
 *
 * @param mapping the thread's process
 * @param thread from 0
 */
public record WaiterId(MappingId mapping, int thread) {
    @Override
    public String toString() {
        return "thread " + thread;
    }
}
