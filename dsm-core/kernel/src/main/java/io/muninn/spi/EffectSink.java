package io.muninn.spi;

/** Takes what a step of a kernel produces: effects in order, and counts apart from them. */
public interface EffectSink {
    void add(Effect effect);

    /** Adds to a counter. Counts have no place in the order of effects. */
    void count(NodeCounter counter, long amount);
}
