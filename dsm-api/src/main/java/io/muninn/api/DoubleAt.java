package io.muninn.api;

/**
 * A double and where it was found: what {@link Reduction#ofDoubleAt} compares.
 *
 * @param index of an element, a row, a thread, whatever the program means
 */
public record DoubleAt(double value, long index) {}
