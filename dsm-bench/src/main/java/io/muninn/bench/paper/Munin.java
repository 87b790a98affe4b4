package io.muninn.bench.paper;

import io.muninn.sim.app.AppResult;
import java.util.List;
import java.util.SortedMap;

/**
 * Munin's paper, for {@code dsm paper munin}.
 *
 * <p>Source: Carter, Bennett and Zwaenepoel, "Techniques for Reducing Consistency-Related
 * Communication in Distributed Shared Memory Systems", sections 5 to 8.
 */
final class Munin implements Publication {
    private static final List<PaperVersion> COMPARED =
            List.of(PaperVersion.MESSAGES, PaperVersion.MUNIN, PaperVersion.CONVENTIONAL);
    private static final List<PaperVersion> RELEASE =
            List.of(PaperVersion.MUNIN, PaperVersion.PIPELINED, PaperVersion.CONVENTIONAL);
    private static final List<PaperVersion> SHIPPING =
            List.of(
                    PaperVersion.MESSAGES,
                    PaperVersion.SHIP,
                    PaperVersion.SHIP_CONVENTIONAL,
                    PaperVersion.MUNIN,
                    PaperVersion.CONVENTIONAL);

    private static final List<SpeedupFigure> FIGURES =
            List.of(
                    new SpeedupFigure(10, "Matrix Multiplication (MULT)", "mult", COMPARED),
                    new SpeedupFigure(11, "Finite Differencing (DIFF)", "diff", COMPARED),
                    new SpeedupFigure(
                            12, "Coarse-Grained Traveling Salesman (TSP-C)", "tsp-c", COMPARED),
                    new SpeedupFigure(
                            13, "Fine-Grained Traveling Salesman (TSP-F)", "tsp-f", COMPARED),
                    new SpeedupFigure(14, "Quicksort (QSORT)", "qsort", COMPARED),
                    new SpeedupFigure(15, "Fast Fourier Transform (FFT)", "fft", COMPARED),
                    new SpeedupFigure(16, "Gaussian Elimination (GAUSS)", "gauss", COMPARED),
                    new SpeedupFigure(
                            19, "Buffered Update and Pipelined Invalidate (DIFF)", "diff", RELEASE),
                    new SpeedupFigure(
                            20, "Buffered Update and Pipelined Invalidate (FFT)", "fft", RELEASE),
                    new SpeedupFigure(
                            21,
                            "Multi-Protocol and All Write-Shared (TSP-F)",
                            "tsp-f",
                            List.of(PaperVersion.MUNIN, PaperVersion.WRITE_SHARED)),
                    new SpeedupFigure(
                            22,
                            "Update Timeout Mechanism (FFT)",
                            "fft",
                            List.of(PaperVersion.MUNIN, PaperVersion.NO_TIMEOUT)),
                    new SpeedupFigure(23, "Function Shipping (TSP-F)", "tsp-f", SHIPPING),
                    new SpeedupFigure(24, "Function Shipping (QSORT)", "qsort", SHIPPING));

    private static final List<PaperVersion> IN_TABLES =
            List.of(
                    PaperVersion.MESSAGES,
                    PaperVersion.MUNIN,
                    PaperVersion.NO_TIMEOUT,
                    PaperVersion.CONVENTIONAL);

    @Override
    public String name() {
        return "munin";
    }

    @Override
    public String title() {
        return "Munin";
    }

    @Override
    public List<String> models() {
        return List.of("1991", "today");
    }

    @Override
    public List<Integer> nodes() {
        return List.of(1, 2, 4, 8, 16);
    }

    @Override
    public PaperVersion counted() {
        return PaperVersion.MUNIN;
    }

    /** Verification charges nothing. */
    @Override
    public long units(AppResult run) {
        return run.nodes().getFirst().computeNanos();
    }

    @Override
    public List<PaperVersion> inTables() {
        return IN_TABLES;
    }

    @Override
    public List<SpeedupFigure> figures(String model) {
        return FIGURES;
    }

    @Override
    public SortedMap<String, List<Comparison>> tables(
            String model, PaperResults results, PaperValues values) {
        return new MuninTables(results, values).all();
    }
}
