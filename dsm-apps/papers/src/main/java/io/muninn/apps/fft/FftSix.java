package io.muninn.apps.fft;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.api.spi.Options;
import io.muninn.apps.Prefetching;
import io.muninn.apps.SpmdEntry;
import java.util.List;

/** The entry of the six-step FFT in the list of programs. */
public final class FftSix extends SpmdEntry<SixRows> {
    private static final Number POINTS =
            new Number("points", "complex points, a power of four", 262_144, 4, 4_194_304);

    public FftSix() {
        super(
                "fft-six",
                "fast Fourier transform in six steps (Mowry, section 2.3)",
                List.of(POINTS),
                new Distance("rows of a transpose", 16));
    }

    @Override
    protected SixRows size(Options options) {
        int points = POINTS.of(options);
        if (Integer.bitCount(points) != 1 || Integer.numberOfTrailingZeros(points) % 2 != 0) {
            throw new IllegalArgumentException(
                    "option --points is a power of four, not '" + points + "'");
        }
        return new SixRows(points);
    }

    @Override
    protected DsmProgram shared(SixRows rows, Prefetching prefetching) {
        return new SixShared(rows, prefetching);
    }

    @Override
    protected double[] messages(SixRows rows, DsmNode node) {
        return SixMessages.transform(rows, node);
    }

    @Override
    protected double[] sequential(SixRows rows, DsmNode node) {
        return SixSequential.transform(rows, node);
    }

    @Override
    protected Verdict verify(SixRows rows, DsmNode root, double[] results) {
        return FftOracle.verify(results);
    }
}
