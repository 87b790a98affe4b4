package io.muninn.bench.paper;

import io.muninn.sim.app.AppResult;
import io.muninn.spi.AdaptiveTwinRules;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** A paper of programs, measurements and tables, and which runs of ours show the same. */
interface Publication {
    /** Of the machine that counts. */
    double UNITS_PER_SECOND = 1e9;

    /**
     * The name of its command; its sheets are {@code NAME-model.txt} and {@code NAME-values.txt}.
     */
    String name();

    /** The name of its system, for readers. */
    String title();

    /** The names of its machines. The results of the first lie in the folder itself. */
    List<String> models();

    /**
     * Machines that are the first ones in another setting: only the claims are shown, side by side,
     * see {@link SettingsTable}.
     */
    default List<String> settings() {
        return List.of();
    }

    /** The counts of nodes of a request that names none. */
    List<Integer> nodes();

    /** The version whose run on one node tells how many units of work a program charges. */
    default PaperVersion counted() {
        return PaperVersion.MESSAGES;
    }

    /**
     * The units of work of that run, without those of its verification.
     *
     * @param run on a machine on which a unit takes a nanosecond, and next to nothing else time
     */
    default long units(AppResult run) {
        // verification charges as much again, after the time that the run has taken
        return Math.round(run.seconds() * UNITS_PER_SECOND);
    }

    /** Whether accesses to shared variables are a part of the sequential seconds of programs. */
    default boolean countsAccesses() {
        return false;
    }

    /**
     * The version whose run on one node is the sequential program; empty if the time of the
     * sequential program is that of its work.
     */
    default Optional<PaperVersion> sequential() {
        return Optional.empty();
    }

    /** Whether pages are at their homes before a run is counted. */
    default boolean placesPages() {
        return false;
    }

    /**
     * Ratios to the paper's numbers beyond this one, or below its inverse, are marked: there is a
     * cause to be given.
     */
    default double explainedBeyond() {
        return Double.POSITIVE_INFINITY;
    }

    /** Whether each table has a page of its own, to which the page of results only leads. */
    default boolean isOnPages() {
        return false;
    }

    /** Whether messages that only bring results to the root are counted, and their time. */
    default boolean countsResults() {
        return true;
    }

    /** What the tables show; figures may show others. */
    List<PaperVersion> inTables();

    /**
     * Whether the machines of a model run a program's version that tables or figures show.
     *
     * @param isOnMost on as many nodes as any run has
     */
    default boolean isRun(
            String model, PaperProgram program, PaperVersion version, boolean isOnMost) {
        return true;
    }

    /** When pages keep their twins; the papers' systems drop a twin with its diff. */
    default AdaptiveTwinRules twins() {
        return AdaptiveTwinRules.OFF;
    }

    /** All figures of speedups by processors, for the machines of a model. */
    default List<SpeedupFigure> figures(String model) {
        return List.of();
    }

    /**
     * All other figures, for the machines of a model.
     *
     * @param values of the paper, or none if these are not its machines
     */
    default List<Figure> drawn(String model, PaperValues values) {
        return List.of();
    }

    /**
     * What the paper says of its results, beside ours.
     *
     * @param values of the paper, or none if these are not its machines; then there are no claims
     */
    default List<Claim> claims(PaperResults results, PaperValues values) {
        return List.of();
    }

    /**
     * What the paper tells by numbers: one comparison or more, by title, as in {@code Table 2}.
     *
     * @param values of the paper, or none if these are not its machines
     */
    SortedMap<String, List<Comparison>> tables(
            String model, PaperResults results, PaperValues values);
}
