package io.muninn.spi;

/** Receives the output of a kernel's step: effects in order, and counts separately. */
public interface EffectSink {
    /** Of a kernel before its first step, which has no output. */
    EffectSink NO_STEP =
            new EffectSink() {
                @Override
                public void add(Effect effect) {
                    throw new IllegalStateException(effect + " before the first step");
                }

                @Override
                public void count(NodeCounter counter, long amount) {
                    throw new IllegalStateException(counter + " before the first step");
                }
            };

    void add(Effect effect);

    /** Adds to a counter. Counts have no place in the order of effects. */
    void count(NodeCounter counter, long amount);
}
