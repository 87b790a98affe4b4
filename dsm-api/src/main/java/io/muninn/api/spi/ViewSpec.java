package io.muninn.api.spi;

/**
 * The shape of a shared variable, before it has a name and a place.
 *
 * @param type text of the shape that two nodes can compare, for example {@code double[512][512]}
 * @param bytes length, at least 1
 * @param granuleBytes the smallest element: 8, 4, 2 or 1
 */
public record ViewSpec(String type, long bytes, int granuleBytes) {}
