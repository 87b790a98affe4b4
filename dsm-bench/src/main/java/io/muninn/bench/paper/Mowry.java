package io.muninn.bench.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/**
 * The paper on prefetching and multithreading, for {@code dsm paper mowry}.
 *
 * <p>Source: Mowry, Chan and Lo, "Comparative Evaluation of Latency Tolerance Techniques for
 * Software Distributed Shared Memory", HPCA 1998.
 */
final class Mowry implements Publication {
    private static final String ATM = "atm";
    private static final String RACK = "rack";

    /** As before network interfaces were modelled: latency alone. */
    private static final String LATENCY = "atm-latency";

    /** Interfaces twice as fast, and twice the latency. */
    private static final String HALF = "atm-half";

    private static final String TIMES = "per cent of the time of O";

    static final List<PaperVersion> PREFETCHING =
            List.of(PaperVersion.ORIGINAL, PaperVersion.PREFETCH);
    static final List<PaperVersion> THREADS =
            List.of(
                    PaperVersion.ORIGINAL,
                    PaperVersion.THREADS_2,
                    PaperVersion.THREADS_4,
                    PaperVersion.THREADS_8);
    static final List<PaperVersion> COMBINED =
            List.of(
                    PaperVersion.ORIGINAL,
                    PaperVersion.PREFETCH,
                    PaperVersion.THREADS_2,
                    PaperVersion.BOTH_2,
                    PaperVersion.THREADS_4,
                    PaperVersion.BOTH_4,
                    PaperVersion.THREADS_8,
                    PaperVersion.BOTH_8);
    static final List<PaperVersion> TWICE =
            List.of(PaperVersion.TWICE_2, PaperVersion.TWICE_4, PaperVersion.TWICE_8);

    @Override
    public String name() {
        return "mowry";
    }

    @Override
    public String title() {
        return "Prefetching and multithreading";
    }

    @Override
    public List<String> models() {
        return List.of(ATM, LATENCY, HALF, RACK);
    }

    @Override
    public List<String> settings() {
        return List.of(LATENCY, HALF);
    }

    @Override
    public double explainedBeyond() {
        return 1.5;
    }

    @Override
    public boolean isOnPages() {
        return true;
    }

    @Override
    public List<Integer> nodes() {
        return List.of(8);
    }

    @Override
    public List<PaperVersion> inTables() {
        List<PaperVersion> all = new ArrayList<>(COMBINED);
        all.addAll(TWICE);
        return List.copyOf(all);
    }

    /** Section 5 only says of some that they never won. */
    @Override
    public boolean isRun(
            String model, PaperProgram program, PaperVersion version, boolean isOnMost) {
        return model.equals(ATM) || !TWICE.contains(version);
    }

    @Override
    public List<Figure> drawn(String model, PaperValues values) {
        return List.of(
                new StackedFigure(
                        1,
                        "execution time; the paper's from its Table 2, without DSM overhead",
                        TIMES,
                        MowryTables.PARTS,
                        results -> new MowryTables(results, values).barsOfFigure1()),
                times(2, "prefetching", PREFETCHING),
                new StackedFigure(
                        3,
                        "the misses of O, with prefetching",
                        "per cent",
                        MowryTables.FATES,
                        results -> new MowryTables(results, values).barsOfFigure3()),
                times(4, "multithreading", THREADS),
                times(5, "prefetching and multithreading", COMBINED));
    }

    private static Figure times(int number, String title, List<PaperVersion> versions) {
        return new StackedFigure(
                number,
                title,
                TIMES,
                MowryTables.PARTS,
                results -> new MowryTables(results, PaperValues.NONE).bars(versions));
    }

    @Override
    public List<Claim> claims(PaperResults results, PaperValues values) {
        return values.isEmpty()
                ? List.of()
                : new MowryClaims(results, new MowryTables(results, values)).all();
    }

    @Override
    public SortedMap<String, List<Comparison>> tables(
            String model, PaperResults results, PaperValues values) {
        return new MowryTables(results, values).all();
    }
}
