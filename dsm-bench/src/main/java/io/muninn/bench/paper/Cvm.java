package io.muninn.bench.paper;

import io.muninn.api.spi.BuiltInProgram;
import io.muninn.launch.Paper;
import io.muninn.sim.app.AppResult;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * CVM's paper, as {@code dsm paper cvm} finds it.
 *
 * <p>Source: Keleher and Tseng, "Enhancing Software DSM for Compiler-Parallelized Applications",
 * section 4. There is no HPF here, so its columns of Figures 1 and 2 have no counterpart.
 */
public final class Cvm implements Paper, Publication {
    private static final String SP2 = "sp2";
    private static final String ALPHA = "alpha";
    private static final String RACK = "rack";
    private static final double UNITS_PER_SECOND = 1e9; // of the machine that counts
    private static final List<String> PROGRAMS =
            List.of("adi", "dot", "expl", "irreg", "jacobi", "mult", "rb", "swm", "tomcatv");
    static final List<PaperVersion> COMPARED =
            List.of(PaperVersion.MESSAGES, PaperVersion.NO_FLUSH, PaperVersion.FLUSH);
    private static final List<PaperVersion> IN_TABLES =
            List.of(
                    PaperVersion.MESSAGES,
                    PaperVersion.FLUSH,
                    PaperVersion.NO_FLUSH,
                    PaperVersion.SINGLE_WRITER);

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
        return List.of(2, 4, 8);
    }

    @Override
    public PaperVersion counted() {
        return PaperVersion.MESSAGES;
    }

    /** Verification charges as much again, after the time that the run has taken. */
    @Override
    public long units(AppResult run) {
        return Math.round(run.seconds() * UNITS_PER_SECOND);
    }

    @Override
    public List<PaperVersion> inTables() {
        return IN_TABLES;
    }

    /** Table 2 and Table 4 are of most nodes; only the first machines are the tables'. */
    @Override
    public boolean isRun(String model, PaperVersion version, boolean isOnMost) {
        return switch (version) {
            case SINGLE_WRITER -> isOnMost && model.equals(SP2);
            case NO_FLUSH -> isOnMost;
            default -> isOnMost || !model.equals(RACK);
        };
    }

    /** Section 4.2: statistics and timings are collected after the initialization. */
    @Override
    public boolean skipsFirstLoop(PaperProgram program, PaperVersion version) {
        return version != PaperVersion.MESSAGES && !program.program().equals("mult");
    }

    @Override
    public List<SpeedupFigure> figures(String model) {
        int number = model.equals(ALPHA) ? 2 : 1;
        return PROGRAMS.stream()
                .map(program ->
                        new SpeedupFigure(
                                number,
                                program.toUpperCase(Locale.ROOT) + ", machines of " + model,
                                program,
                                COMPARED,
                                "figure-" + number + "-" + program))
                .toList();
    }

    @Override
    public SortedMap<String, List<Comparison>> tables(
            String model, PaperResults results, PaperValues values) {
        return new CvmTables(results, values)
                .all(model.equals(ALPHA) ? "Figure 2" : "Figure 1", model, model.equals(SP2));
    }

    @Override
    public Runs prepare(Request request, SortedMap<String, BuiltInProgram> installed) {
        return new PaperRuns(this, request, installed);
    }
}
