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
        double bytes) {
    /**
     * Name, median, 99th percentile and count, then messages and bytes: what {@link #parse} reads.
     */
    String line() {
        return String.join(
                " ",
                name,
                Double.toString(medianNanos),
                Double.toString(p99Nanos),
                Integer.toString(samples),
                Double.toString(messages),
                Double.toString(bytes));
    }

    /**
     * Reads a line.
     *
     * @param words as {@link #line} writes them; messages and bytes may be missing
     * @throws IllegalArgumentException if there are other words
     */
    public static Measured parse(String... words) {
        boolean isSent = words.length == 6;
        if (!isSent && words.length != 4) {
            throw new IllegalArgumentException(words.length + " words are no measurement");
        }
        return new Measured(
                words[0],
                Double.parseDouble(words[1]),
                Double.parseDouble(words[2]),
                Integer.parseInt(words[3]),
                isSent ? Double.parseDouble(words[4]) : 0,
                isSent ? Double.parseDouble(words[5]) : 0);
    }
}
