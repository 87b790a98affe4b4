package io.muninn.api;

/**
 * A double and the index at which it was found: a contribution to {@link Reduction#ofDoubleAt}.
 *
 * @param index of an element, a row or a thread, as the program defines it
 */
public record DoubleAt(double value, long index) {}
