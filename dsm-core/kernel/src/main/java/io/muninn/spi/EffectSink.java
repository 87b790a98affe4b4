package io.muninn.spi;

/** Receives the output of a kernel's step: effects in order, and counts separately. */
public interface EffectSink {
    void add(Effect effect);

    /** Adds to a counter. Counts have no place in the order of effects. */
    void count(NodeCounter counter, long amount);
}
