package io.muninn.api.service;

import io.muninn.api.Message;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeoutException;

/**
 * The requests of messages to the kernel, for the calling thread. Arguments are valid; an interrupt
 * stays pending.
 *
 * <p><b>Errors.</b> As for {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface MessageLink {
    /**
     * Sends a message. Waits while too many bytes are waiting to be received.
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
