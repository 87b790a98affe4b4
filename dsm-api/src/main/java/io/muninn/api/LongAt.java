package io.muninn.api;

/**
 * A long and the index at which it was found: a contribution to {@link Reduction#ofLongAt}.
 *
 * @param index of an element, a row or a thread, as the program defines it
 */
public record LongAt(long value, long index) {}
