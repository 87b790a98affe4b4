package io.muninn.bench.paper;

import io.muninn.spi.AdaptiveTwinRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * CVM's paper, for {@code dsm paper cvm}.
 *
 * <p>Source: Keleher and Tseng, "Enhancing Software DSM for Compiler-Parallelized Applications",
 * section 4. There is no HPF here, so its columns of Figures 1 and 2 have no counterpart.
 */
final class Cvm implements Publication {
    private static final String SP2 = "sp2";
    private static final String ALPHA = "alpha";
    private static final String RACK = "rack";

    /** The programs whose variables are not whole pages: packing moves those of no other. */
    private static final List<String> UNALIGNED = List.of("irreg", "mult", "swm");

    private static final List<SpeedupBars.Group> GROUPS =
            Stream.of("adi", "dot", "expl", "irreg", "jacobi", "mult", "rb", "swm", "tomcatv")
                    .map(name ->
                            new SpeedupBars.Group(
                                    name.toUpperCase(Locale.ROOT), List.of(name, name + "-small")))
                    .toList();
    private static final List<SpeedupBars.Bar> LARGE =
            List.of(
                    new SpeedupBars.Bar("large, with flush", PaperVersion.FLUSH, 0),
                    new SpeedupBars.Bar("large, message passing", PaperVersion.MESSAGES, 0));
    private static final List<SpeedupBars.Bar> SMALL =
            List.of(
                    new SpeedupBars.Bar("small, with flush", PaperVersion.FLUSH, 1),
                    new SpeedupBars.Bar("small, message passing", PaperVersion.MESSAGES, 1));
    static final List<PaperVersion> COMPARED =
            List.of(PaperVersion.MESSAGES, PaperVersion.NO_FLUSH, PaperVersion.FLUSH);
    private static final List<PaperVersion> IN_TABLES =
            List.of(
                    PaperVersion.MESSAGES,
                    PaperVersion.FLUSH,
                    PaperVersion.ADVISED,
                    PaperVersion.ADVISED_8K,
                    PaperVersion.ADVISED_PACKED,
                    PaperVersion.NO_FLUSH,
                    PaperVersion.NO_FLUSH_8K,
                    PaperVersion.NO_FLUSH_PACKED,
                    PaperVersion.SINGLE_WRITER,
                    PaperVersion.LOCKS);

    @Override
    public String name() {
        return "cvm";
    }

    @Override
    public String title() {
        return "CVM";
    }

    @Override
    public List<String> models() {
        return List.of(SP2, ALPHA, RACK);
    }

    @Override
    public List<Integer> nodes() {
        return List.of(8);
    }

    @Override
    public List<PaperVersion> inTables() {
        return IN_TABLES;
    }

    /**
     * Tables are of most nodes, and only the first machines are the tables'; the Alphas are in
     * Figure 2 alone, and small problems in Figures 1 and 2.
     */
    @Override
    public boolean isRun(
            String model, PaperProgram program, PaperVersion version, boolean isOnMost) {
        return switch (version) {
            case SINGLE_WRITER, LOCKS, ADVISED_8K, NO_FLUSH_8K ->
                    isOnMost && model.equals(SP2) && program.isInTables();
            case ADVISED_PACKED, NO_FLUSH_PACKED ->
                    isOnMost && model.equals(SP2) && UNALIGNED.contains(program.name());
            case NO_FLUSH, ADVISED -> isOnMost && !model.equals(ALPHA) && program.isInTables();
            default -> program.isInTables() || !model.equals(RACK);
        };
    }

    /**
     * Section 4.5: a diff is made when it is asked for. Until then a page has its twin, and stores
     * to it do not fault; here only pages that were stored to again and again are left so.
     */
    @Override
    public AdaptiveTwinRules twins() {
        return AdaptiveTwinRules.DEFAULT;
    }

    /**
     * Parallel loops leave their results where they are, so messages that fetch them do not count.
     */
    @Override
    public boolean countsResults() {
        return false;
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
    public List<Figure> drawn(String model, PaperValues values) {
        List<SpeedupBars.Bar> bars = new ArrayList<>(LARGE);
        if (!model.equals(RACK)) {
            bars.addAll(SMALL);
        }
        return List.of(
                new SpeedupBars(model.equals(ALPHA) ? 2 : 1, "machines of " + model, GROUPS, bars),
                new StackedFigure(
                        3,
                        "time of the processors",
                        "per cent",
                        CvmTables.TIMES,
                        results -> new CvmTables(results, values).figure3()));
    }

    @Override
    public SortedMap<String, List<Comparison>> tables(
            String model, PaperResults results, PaperValues values) {
        boolean isAlpha = model.equals(ALPHA);
        SortedMap<String, List<Comparison>> tables =
                new CvmTables(results, values)
                        .all(isAlpha ? "Figure 2" : "Figure 1", model, model.equals(SP2));
        if (isAlpha) {
            tables.keySet().removeIf(title -> !title.startsWith("Figure"));
        }
        return tables;
    }
}
