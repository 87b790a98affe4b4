package io.muninn.bench.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The paper on home-based pages on nodes of several processors, for {@code dsm paper hlrc}. Where
 * other papers count nodes this one counts processors; a version says how many of them a node has.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, "Supporting a Coherent Shared Address Space across
 * SMP Nodes: an Application-Driven Investigation".
 */
final class Hlrc implements Publication {
    private static final String MODEL = "hlrc-model.txt";
    private static final String SMP = "smp-1998";

    /** With an I/O bus twice as wide. */
    private static final String WIDE = "smp-1998-io";

    private static final String RACK = "smp-rack";

    /** Processors of all runs of the paper. */
    static final int PROCESSORS = 16;

    /** A node of one processor, of four, of eight. */
    static final List<PaperVersion> HLRC =
            List.of(PaperVersion.HLRC_1, PaperVersion.HLRC_4, PaperVersion.HLRC_8);

    /** The columns of Tables 2 and 3. */
    static final List<PaperVersion> COMPARED =
            List.of(
                    PaperVersion.AURC_1,
                    PaperVersion.AURC_4,
                    PaperVersion.HLRC_1,
                    PaperVersion.HLRC_4);

    /** How the processors of a node share: nothing, everything, pages only. */
    static final List<PaperVersion> SHARING =
            List.of(PaperVersion.HLRC_1, PaperVersion.HLRC_4_THREADS, PaperVersion.HLRC_4);

    @Override
    public String name() {
        return "hlrc";
    }

    @Override
    public String title() {
        return "Home-based pages on nodes of several processors";
    }

    @Override
    public List<String> models() {
        return List.of(SMP, WIDE, RACK);
    }

    @Override
    public List<Integer> nodes() {
        return List.of(1, PROCESSORS);
    }

    /** Section 4: the caches of one processor make the sequential program slow, too. */
    @Override
    public Optional<PaperVersion> sequential() {
        return Optional.of(PaperVersion.HLRC_1);
    }

    /** Such a run is counted, because every load and store takes a cycle. */
    @Override
    public PaperVersion counted() {
        return PaperVersion.HLRC_1;
    }

    @Override
    public boolean countsAccesses() {
        return true;
    }

    /** Section 4: initialization is not simulated, and pages are where they are touched first. */
    @Override
    public boolean placesPages() {
        return true;
    }

    @Override
    public List<PaperVersion> inTables() {
        List<PaperVersion> all = new ArrayList<>(COMPARED);
        all.add(PaperVersion.HLRC_8);
        all.add(PaperVersion.HLRC_4_THREADS);
        return List.copyOf(all);
    }

    /** Other machines are about speedups alone, and wider buses about those of Table 2. */
    @Override
    public boolean isRun(
            String model, PaperProgram program, PaperVersion version, boolean isOnMost) {
        boolean isShown =
                switch (model) {
                    case RACK -> SHARING.contains(version);
                    case WIDE -> COMPARED.contains(version);
                    default -> true;
                };
        return isShown && (isOnMost || version == PaperVersion.HLRC_1);
    }

    @Override
    public List<Figure> drawn(String model, PaperValues values) {
        List<Figure> all = new ArrayList<>();
        if (model.equals(SMP)) {
            SyncCosts costs = new SyncCosts(CostModel.read(Sheet.resource(MODEL), SMP));
            all.add(
                    new SyncFigure(
                            8,
                            "locks",
                            "a lock that all processors acquire, one after the other",
                            "fetches in the section",
                            List.of(0, 1, 2, 4, 8),
                            costs::lockMicros));
            all.add(
                    new SyncFigure(
                            8,
                            "barriers",
                            "a barrier",
                            "write notices of each processor",
                            List.of(0, 16, 64, 256),
                            costs::barrierMicros));
            all.add(
                    new QuantityBars(
                            9,
                            "messages of a processor in 10^7 cycles of computation",
                            "messages",
                            HLRC,
                            run -> HlrcTables.perCycles(run, run.messages())));
            all.add(
                    new QuantityBars(
                            10,
                            "megabytes of a processor in 10^7 cycles of computation",
                            "MB",
                            HLRC,
                            run -> HlrcTables.perCycles(run, run.bytes() / HlrcTables.MEGABYTE)));
        }
        all.add(breakdown(11, "FFT, 2^20", "fft-20"));
        all.add(breakdown(12, "OCEAN, 514", "ocean-514"));
        all.add(breakdown(13, "Barnes-rebuild, 16K", "barnes-rebuild-16k"));
        all.add(breakdown(14, "Barnes-nolocks, 16K", "barnes-space-16k"));
        all.add(breakdown(15, "Raytrace", "raytrace"));
        all.add(breakdown(16, "Volrend", "volrend"));
        all.add(breakdown(17, "Water-spatial", "water-sp"));
        return all;
    }

    private static BreakdownFigure breakdown(int number, String title, String program) {
        return new BreakdownFigure(number, "time of each processor, " + title, program, COMPARED);
    }

    @Override
    public SortedMap<String, List<Comparison>> tables(
            String model, PaperResults results, PaperValues values) {
        HlrcTables tables = new HlrcTables(results, values);
        return model.equals(SMP) ? tables.all() : tables.speedupsOnly();
    }

    @Override
    public List<Claim> claims(PaperResults results, PaperValues values) {
        return values.isEmpty() ? List.of() : new HlrcClaims(results, values).all();
    }
}
