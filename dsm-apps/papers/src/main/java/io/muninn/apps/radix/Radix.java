package io.muninn.apps.radix;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.Options;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SpmdEntry;
import java.util.List;

/** The entry of RADIX in the list of programs. */
public final class Radix extends SpmdEntry<RadixDigits> {
    private static final Number KEYS = new Number("keys", "keys to be sorted", 1 << 20, 1, 1 << 24);
    private static final Number LIMIT =
            new Number("limit", "keys are below", 1 << 21, 1, Integer.MAX_VALUE);
    private static final Number DIGIT_BITS = new Number("digit-bits", "bits of a digit", 10, 1, 12);

    public Radix() {
        super(
                "radix",
                "radix sort of integers (Mowry, section 2.3)",
                List.of(KEYS, LIMIT, DIGIT_BITS),
                new Distance("keys", 64));
    }

    @Override
    protected RadixDigits size(Options options) {
        return new RadixDigits(KEYS.of(options), LIMIT.of(options), DIGIT_BITS.of(options));
    }

    @Override
    protected DsmProgram shared(RadixDigits digits, Prefetching prefetching) {
        return new RadixShared(digits, prefetching);
    }

    @Override
    protected double[] messages(RadixDigits digits, DsmNode node) {
        return RadixMessages.sort(digits, node);
    }

    @Override
    protected double[] sequential(RadixDigits digits, DsmNode node) {
        return RadixSequential.sort(digits, node);
    }

    @Override
    protected Verdict verify(RadixDigits digits, DsmNode root, double[] results) {
        return RadixSequential.verify(digits, results);
    }
}
