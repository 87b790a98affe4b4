package io.muninn.api.service;

import io.muninn.api.Message;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeoutException;

/**
 * What messages ask of the kernel, for the calling thread. Arguments are valid; an interrupt is
 * kept for later.
 *
 * <p><b>Errors.</b> As of {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface MessageLink {
    /**
     * Sends a message; waits while too many bytes wait for a receiver.
     *
     * @param body is copied
     */
    void send(int node, int tag, MemorySegment body);

    /**
     * Waits for a message.
     *
     * @param node the sender, or {@link io.muninn.api.Messages#ANY}
     * @param limitNanos negative for no limit
     * @throws TimeoutException if the time ran out
     */
    Message receive(int node, int tag, long limitNanos) throws TimeoutException;
}
