package io.muninn.sim.machine;

/**
 * Which processor of a node handles requests of other nodes. Replies are handled by the processor
 * that waits for them.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, section 3.1.6.
 */
public enum HandlerPolicy {
    /** Always the first, which is interrupted. */
    STATIC,
    /** One after another, each of which is interrupted. */
    ROUND_ROBIN,
    /** A further processor, which runs no thread and polls. */
    DEDICATED,
    /** One that has no thread to run, which polls; without any, one by chance is interrupted. */
    IDLE
}
