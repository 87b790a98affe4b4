package io.muninn.api;

/**
 * A long and where it was found: what {@link Reduction#ofLongAt} compares.
 *
 * @param index of an element, a row, a thread, whatever the program means
 */
public record LongAt(long value, long index) {}
