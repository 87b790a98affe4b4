package io.muninn.bench.paper;

import java.util.List;

/**
 * A figure of speedups, as the paper numbers them.
 *
 * @param program whose speedups, by name
 * @param versions one line each
 */
record MuninFigure(int number, String title, String program, List<PaperVersion> versions) {
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

    /** All of the paper's that show speedups. */
    static final List<MuninFigure> ALL =
            List.of(
                    new MuninFigure(10, "Matrix Multiplication (MULT)", "mult", COMPARED),
                    new MuninFigure(11, "Finite Differencing (DIFF)", "diff", COMPARED),
                    new MuninFigure(
                            12, "Coarse-Grained Traveling Salesman (TSP-C)", "tsp-c", COMPARED),
                    new MuninFigure(
                            13, "Fine-Grained Traveling Salesman (TSP-F)", "tsp-f", COMPARED),
                    new MuninFigure(14, "Quicksort (QSORT)", "qsort", COMPARED),
                    new MuninFigure(15, "Fast Fourier Transform (FFT)", "fft", COMPARED),
                    new MuninFigure(16, "Gaussian Elimination (GAUSS)", "gauss", COMPARED),
                    new MuninFigure(
                            19, "Buffered Update and Pipelined Invalidate (DIFF)", "diff", RELEASE),
                    new MuninFigure(
                            20, "Buffered Update and Pipelined Invalidate (FFT)", "fft", RELEASE),
                    new MuninFigure(
                            21,
                            "Multi-Protocol and All Write-Shared (TSP-F)",
                            "tsp-f",
                            List.of(PaperVersion.MUNIN, PaperVersion.WRITE_SHARED)),
                    new MuninFigure(
                            22,
                            "Update Timeout Mechanism (FFT)",
                            "fft",
                            List.of(PaperVersion.MUNIN, PaperVersion.NO_TIMEOUT)),
                    new MuninFigure(23, "Function Shipping (TSP-F)", "tsp-f", SHIPPING),
                    new MuninFigure(24, "Function Shipping (QSORT)", "qsort", SHIPPING));

    MuninFigure {
        versions = List.copyOf(versions);
    }

    boolean shows(String name, PaperVersion version) {
        return program.equals(name) && versions.contains(version);
    }

    String fileName() {
        return "figure-" + number;
    }
}
