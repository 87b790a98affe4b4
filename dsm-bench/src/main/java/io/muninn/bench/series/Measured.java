package io.muninn.bench.series;

/**
 * The times of one operation, on the node that measured it.
 *
 * @param medianNanos median of the samples
 * @param p99Nanos 99th percentile of the samples
 * @param samples number of samples
 * @param messages messages that the node sent per sample; 0 if they were not counted
 * @param bytes bytes of these messages
 * @param cpu processor time of the processes of the run
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
     * Processor time per sample, in nanoseconds.
     *
     * @param application the measuring thread
     * @param agent the agent of the same node
     * @param applications the applications of all other nodes
     * @param agents the agents of all other nodes
     */
    public record Cpu(double application, double agent, double applications, double agents) {
        /** Not measured. */
        public static final Cpu UNKNOWN = new Cpu(0, 0, 0, 0);

        public double sum() {
            return application + agent + applications + agents;
        }
    }

    /**
     * The warm-up before the samples.
     *
     * @param operations number of discarded operations; 0 if it is not known
     * @param settled true if the operations had stopped becoming faster, false if a bound was
     *     reached
     */
    public record WarmUp(int operations, boolean settled) {
        /** Not measured. */
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

    /** A copy with the processor times {@code known}. */
    public Measured with(Cpu known) {
        return new Measured(name, medianNanos, p99Nanos, samples, messages, bytes, known, warmUp);
    }

    /**
     * One line of words for {@link #parse}: name, median, 99th percentile and number of samples,
     * then messages, bytes, processor times and warm-up.
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
     * Parses a line.
     *
     * @param words the words of {@link #line}; all after the number of samples may be absent
     * @throws IllegalArgumentException if the words are no measurement
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
