package io.muninn.apps.fft;

import io.muninn.api.DsmProgram;
import io.muninn.api.spi.BuiltInProgram;
import io.muninn.api.spi.Options;
import java.util.List;

/** The entry of FFT in the list of programs. */
public final class Fft implements BuiltInProgram {
    private static final int POINTS = 32_768;
    private static final List<String> EXCHANGES = List.of("own", "all");

    @Override
    public String name() {
        return "fft";
    }

    @Override
    public String summary() {
        return "fast Fourier transform (Munin, section 6.5)";
    }

    @Override
    public String usage() {
        return """
        --points N       complex points, a power of two from 2 to 4194304 (32768)
        --exchange WHAT  with messages: own points, or all points to everyone, as in the paper (own)
        --version V      dsm, mp (message passing) or seq (dsm)
        """;
    }

    @Override
    public List<String> versions() {
        return List.of("dsm", "mp", "seq");
    }

    @Override
    public DsmProgram create(List<String> words) {
        Options options = parse(words);
        FftSize size = size(options);
        return switch (version(options)) {
            case "mp" -> new FftMessages(size, options.choice("exchange", EXCHANGES).equals("all"));
            case "seq" -> new FftSequential(size);
            default -> new FftShared(size);
        };
    }

    /** Requires a number of threads that is a power of two, except for the sequential version. */
    @Override
    public void checkCluster(List<String> words, int nodes, int threads) {
        Options options = parse(words);
        if (!version(options).equals("seq")) {
            size(options).checkPositions(nodes * threads);
        }
    }

    private static Options parse(List<String> words) {
        return Options.parse(words, "points=", "exchange=", "version=");
    }

    private String version(Options options) {
        return options.choice("version", versions());
    }

    private static FftSize size(Options options) {
        int points = options.integer("points", POINTS, FftSize.POINTS_MIN, FftSize.POINTS_MAX);
        if (Integer.bitCount(points) != 1) {
            throw new IllegalArgumentException(
                    "option --points is a power of two, not '" + points + "'");
        }
        return new FftSize(points);
    }
}
