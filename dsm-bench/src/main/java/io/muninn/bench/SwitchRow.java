package io.muninn.bench;

/**
 * What a switch does to an operation.
 *
 * @param options with which the optimisation is off, and on
 */
record SwitchRow(String name, String options, String operation, double offNanos, double onNanos) {
    /** How many times as fast it is with the optimisation. */
    double gain() {
        return offNanos / onNanos;
    }
}
