package io.muninn.spi;

/**
 * Two nodes have stored to one granule, neither knowing of the other's store.
 *
 * @param granule its index in the page
 * @param here value that this node has stored
 * @param arriving value in the received diff
 * @param interval in which this node has sent its store; 0 if it has not yet
 */
public record Race(int granule, long here, long arriving, long interval) {}
