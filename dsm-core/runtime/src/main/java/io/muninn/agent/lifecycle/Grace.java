package io.muninn.agent.lifecycle;

import java.time.Duration;

/**
 * The time that the nodes of a run have to end.
 *
 * @param afterFailure after a node has failed: enough for final messages, a second for {@code
 *     finally}, and the end of two JVMs
 * @param ofTheLast after a node has failed and all but one have ended: the remaining one is most
 *     likely stopped
 * @param afterRoot after the root has ended successfully: there is no error, and the machine may be
 *     busy
 */
public record Grace(Duration afterFailure, Duration ofTheLast, Duration afterRoot) {
    public static final Grace USUAL =
            new Grace(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofSeconds(15));
}
