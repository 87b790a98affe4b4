package io.muninn.bench;

/**
 * The times of an operation with an optimisation off and on.
 *
 * @param options options that switch the optimisation off and on
 */
record SwitchRow(String name, String options, String operation, double offNanos, double onNanos) {
    /** The speedup: the time without the optimisation, divided by the time with it. */
    double gain() {
        return offNanos / onNanos;
    }
}
