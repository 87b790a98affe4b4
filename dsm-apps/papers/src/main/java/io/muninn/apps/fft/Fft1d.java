package io.muninn.apps.fft;

import io.muninn.api.Band;
import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of FFT with a barrier after each pass in the list of programs. */
public final class Fft1d implements BuiltInProgram {
    @Override
    public String name() {
        return "fft-1d";
    }

    @Override
    public String summary() {
        return "fast Fourier transform, a barrier for each pass (Kontothanassis and Scott,"
                + " section 3)";
    }

    @Override
    public String usage() {
        return """
        --points N       complex points, a power of two from 2 to 4194304 (65536)
        --version V      dsm (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = Options.parse(words, "points=", "version=");
        options.choice("version", versions());
        int points = options.integer("points", 1 << 16, FftSize.POINTS_MIN, FftSize.POINTS_MAX);
        if (Integer.bitCount(points) != 1) {
            throw new IllegalArgumentException(
                    "option --points is a power of two, not '" + points + "'");
        }
        return new Passes(points);
    }

    /**
     * The transform. Each thread has a band of the butterflies of every pass. In the first pass the
     * points of a butterfly are half of all points apart, in the last they are neighbours, so that
     * a thread shares points with one other thread in each of the first passes, and with none in
     * the others.
     */
    private static final class Passes implements DsmProgram {
        /** Simple operations of a butterfly, with a table of sines and cosines. */
        private static final int BUTTERFLY_UNITS = 14;

        @Shared(Protocol.LAZY)
        private final DoubleMatrix points;

        Passes(int count) {
            points = DoubleMatrix.of(count, 2);
        }

        @Override
        public void initialize(DsmNode root) {
            FftKernel.fill(points);
        }

        @Override
        public void run(DsmNode node) {
            DsmBarrier barrier = node.barrier("pass");
            Band mine = Band.of(points.rows() / 2, node.position(), node.positions());
            for (int width = points.rows() / 2; width >= 1; width /= 2) {
                for (int i = mine.from(); i < mine.to(); i++) {
                    int group = i / width;
                    int first = 2 * width * group + i % width;
                    double angle = FftKernel.angle(group);
                    FftKernel.butterfly(points, first, first + width, angle);
                    node.work(BUTTERFLY_UNITS);
                }
                barrier.await();
            }
        }

        @Override
        public Verdict verify(DsmNode root) {
            return FftOracle.verify(points);
        }
    }
}
