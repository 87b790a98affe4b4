package io.muninn.agent.memory;

import io.muninn.model.PageId;

/**
 * A page at which a thread is stopped.
 *
 * @param beginNanos when the first of them was stopped, as {@link System#nanoTime} tells it
 */
public record StoppedAt(PageId page, long beginNanos) {}
