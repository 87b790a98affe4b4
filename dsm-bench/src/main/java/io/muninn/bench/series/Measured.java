package io.muninn.bench.series;

/**
 * The times of one operation, on the node that measured it.
 *
 * @param medianNanos half of the samples took less
 * @param p99Nanos one in a hundred took more
 * @param samples how many
 * @param messages sent by that node per sample; 0 if they were not counted
 * @param bytes of these messages
 * @param cpu where its time went
 * @param warmUp the operations before the samples
 */
public record Measured(
        String name,
        double medianNanos,
        double p99Nanos,
        int samples,
        double messages,
        double bytes,
        Cpu cpu,
        WarmUp warmUp) {
    private static final int WORDS = 4;
    private static final int WORDS_OF_WARM_UP = 10;
    private static final int MORE_WORDS = WORDS_OF_WARM_UP + 2;
    private static final String SETTLED = "settled";
    private static final String BOUND = "bound";

    /**
     * Nanoseconds on a processor per sample, while it was timed.
     *
     * @param application the thread that waited for it
     * @param agent of the same node
     * @param applications of all other nodes
     * @param agents of all other nodes
     */
    public record Cpu(double application, double agent, double applications, double agents) {
        /** Not looked at. */
        public static final Cpu UNKNOWN = new Cpu(0, 0, 0, 0);

        public double sum() {
            return application + agent + applications + agents;
        }
    }

    /**
     * What came before the samples.
     *
     * @param operations that were timed and forgotten; 0 if that is not known
     * @param settled whether they had stopped to become faster, not just come to a bound
     */
    public record WarmUp(int operations, boolean settled) {
        /** Not looked at. */
        public static final WarmUp UNKNOWN = new WarmUp(0, false);

        public boolean isKnown() {
            return operations > 0;
        }
    }

    public Measured(
            String name,
            double medianNanos,
            double p99Nanos,
            int samples,
            double messages,
            double bytes) {
        this(name, medianNanos, p99Nanos, samples, messages, bytes, Cpu.UNKNOWN, WarmUp.UNKNOWN);
    }

    /** The same, now that it is known where its time went. */
    public Measured with(Cpu known) {
        return new Measured(name, medianNanos, p99Nanos, samples, messages, bytes, known, warmUp);
    }

    /**
     * Name, median, 99th percentile and count, then messages, bytes, times of processors and the
     * warm-up: what {@link #parse} reads.
     */
    public String line() {
        return String.join(
                " ",
                name,
                Double.toString(medianNanos),
                Double.toString(p99Nanos),
                Integer.toString(samples),
                Double.toString(messages),
                Double.toString(bytes),
                Double.toString(cpu.application()),
                Double.toString(cpu.agent()),
                Double.toString(cpu.applications()),
                Double.toString(cpu.agents()),
                Integer.toString(warmUp.operations()),
                warmUp.settled() ? SETTLED : BOUND);
    }

    /**
     * Reads a line.
     *
     * @param words as {@link #line} writes them; all after the count may be missing
     * @throws IllegalArgumentException if there are other words
     */
    public static Measured parse(String... words) {
        if (words.length != WORDS && words.length != MORE_WORDS) {
            throw new IllegalArgumentException(words.length + " words are no measurement");
        }
        Measured measured =
                new Measured(
                        words[0],
                        Double.parseDouble(words[1]),
                        Double.parseDouble(words[2]),
                        Integer.parseInt(words[3]),
                        0,
                        0);
        return words.length == WORDS ? measured : measured.withRest(words);
    }

    private Measured withRest(String... words) {
        double[] more = new double[WORDS_OF_WARM_UP];
        for (int i = WORDS; i < more.length; i++) {
            more[i] = Double.parseDouble(words[i]);
        }
        return new Measured(
                name,
                medianNanos,
                p99Nanos,
                samples,
                more[4],
                more[5],
                new Cpu(more[6], more[7], more[8], more[9]),
                new WarmUp(
                        Integer.parseInt(words[WORDS_OF_WARM_UP]),
                        words[WORDS_OF_WARM_UP + 1].equals(SETTLED)));
    }
}
