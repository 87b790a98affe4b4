package io.muninn.bench.live;

/**
 * What came of one operation, on the node that timed it.
 *
 * @param medianNanos half of the samples took less
 * @param p99Nanos one in a hundred took more
 * @param samples how many
 * @param messages sent by that node per sample; 0 if they were not counted
 * @param bytes of these messages
 */
public record Measured(
        String name,
        double medianNanos,
        double p99Nanos,
        int samples,
        double messages,
        double bytes) {}
