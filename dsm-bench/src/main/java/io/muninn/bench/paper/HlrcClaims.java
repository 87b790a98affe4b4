package io.muninn.bench.paper;

import io.muninn.sim.processor.ProcessorTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * What section 8 of the paper on nodes of several processors says of its results, checked with
 * ours. A claim of which a run is missing is left out.
 *
 * <p>A program <em>gains</em> if nodes of four processors make it faster by 5 % or more, and gains
 * <em>little</em> if they change its speed by 10 % at most. What <em>falls</em> in the paper falls
 * here if it loses half of that part or more.
 */
final class HlrcClaims {
    private static final double GAIN_MIN = 5;
    private static final double LITTLE_MAX = 10;

    private final PaperResults results;
    private final PaperValues values;
    private final List<Claim> claims = new ArrayList<>();

    /** Nodes of one processor and of four, under one protocol. */
    private record Pair(String protocol, String table, PaperVersion one, PaperVersion four) {}

    private static final Pair HLRC =
            new Pair("HLRC", "table-5 ", PaperVersion.HLRC_1, PaperVersion.HLRC_4);
    private static final Pair AURC =
            new Pair("AURC", "table-4 ", PaperVersion.AURC_1, PaperVersion.AURC_4);
    private static final List<Pair> BOTH = List.of(HLRC, AURC);

    HlrcClaims(PaperResults results, PaperValues values) {
        this.results = results;
        this.values = values;
    }

    List<Claim> all() {
        for (Pair pair : BOTH) {
            List.of("lu-512", "ocean-514", "barnes-rebuild-16k", "volrend", "water-sp")
                    .forEach(program -> gains(program, pair));
            List.of("fft-20", "barnes-space-16k", "water-nsq")
                    .forEach(program -> gainsLittle(program, pair));
        }
        gains("radix", HLRC);
        loses("radix", AURC);
        gains("raytrace", AURC);
        gainsLittle("raytrace", HLRC);
        for (Pair pair : BOTH) {
            part("lu-512", pair, ProcessorPart.BARRIERS);
            part("lu-512", pair, ProcessorPart.DATA_WAIT);
            fetches("ocean-514", pair);
            fetches("fft-20", pair);
        }
        fetches("volrend", AURC);
        part("volrend", AURC, ProcessorPart.LOCKS);
        List.of("fft-20", "barnes-space-16k", "water-nsq").forEach(this::imbalance);
        return List.copyOf(claims);
    }

    private void gains(String program, Pair pair) {
        speed(program, pair, " gains by nodes of four, ", gain -> gain >= GAIN_MIN);
    }

    private void gainsLittle(String program, Pair pair) {
        speed(program, pair, " gains little, ", gain -> Math.abs(gain) <= LITTLE_MAX);
    }

    private void loses(String program, Pair pair) {
        speed(program, pair, " loses by nodes of four, ", gain -> gain < 0);
    }

    /** Whether a gain, in per cent, is as the paper has it. */
    private interface Rule {
        boolean holds(double gain);
    }

    private void speed(String program, Pair pair, String what, Rule rule) {
        OptionalDouble one = results.speedup(program, pair.one(), results.most());
        OptionalDouble four = results.speedup(program, pair.four(), results.most());
        if (one.isEmpty() || four.isEmpty()) {
            return;
        }
        double gain = percentBeyond(four.getAsDouble(), one.getAsDouble());
        double paper =
                percentBeyond(
                        paper("table-2 speedup", program, pair.four()),
                        paper("table-2 speedup", program, pair.one()));
        add(title(program) + what + pair.protocol(), paper, gain, rule.holds(gain));
    }

    private void part(String program, Pair pair, ProcessorPart part) {
        falls(
                program,
                pair,
                part.label(),
                part.word(),
                run -> part.nanos(run.clustering().threads()));
    }

    private void fetches(String program, Pair pair) {
        falls(program, pair, "page fetches", "fetches", run -> run.clustering().fetches());
    }

    private void falls(
            String program,
            Pair pair,
            String label,
            String table,
            ToDoubleFunction<SimulatedTimes> quantity) {
        Optional<SimulatedTimes> one = at(program, pair.one());
        Optional<SimulatedTimes> four = at(program, pair.four());
        if (one.isEmpty() || four.isEmpty()) {
            return;
        }
        double ours =
                percentBeyond(
                        quantity.applyAsDouble(four.get()), quantity.applyAsDouble(one.get()));
        double before = paper(pair.table() + table, program, pair.one());
        double change = paper(pair.table() + table, program, pair.four());
        double paper = percentBeyond(before + change, before);
        String text = title(program) + ": " + label + " fall, " + pair.protocol();
        add(text, paper, ours, ours <= paper / 2);
    }

    /**
     * Section 8: processors of a node wait for data unequally long, which costs what was gained.
     */
    private void imbalance(String program) {
        Optional<SimulatedTimes> one = at(program, HLRC.one());
        Optional<SimulatedTimes> four = at(program, HLRC.four());
        if (one.isPresent() && four.isPresent()) {
            double before = imbalance(one.get());
            double after = imbalance(four.get());
            claims.add(
                    new Claim(
                            title(program) + ": data wait is less even, HLRC; longest over mean",
                            "–",
                            String.format(Locale.ROOT, "%.2f → %.2f", before, after),
                            after > before));
        }
    }

    private static double imbalance(SimulatedTimes run) {
        List<ProcessorTimes> threads = run.clustering().threads();
        double most = threads.stream().mapToLong(ProcessorPart.DATA_WAIT::nanos).max().orElse(0);
        return most * threads.size() / Math.max(1, ProcessorPart.DATA_WAIT.nanos(threads));
    }

    private void add(String text, double paper, double ours, boolean isHeld) {
        claims.add(new Claim(text, percent(paper), percent(ours), isHeld));
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%+.0f %%", value);
    }

    private static double percentBeyond(double after, double before) {
        return HlrcTables.PERCENT * (after / before - 1);
    }

    private String title(String program) {
        return results.programs().stream()
                .filter(each -> each.name().equals(program))
                .map(PaperProgram::title)
                .findFirst()
                .orElse(program);
    }

    private Optional<SimulatedTimes> at(String program, PaperVersion version) {
        return results.at(program, version, results.most());
    }

    private double paper(String table, String program, PaperVersion version) {
        return values.of(table, program, version).orElseThrow();
    }
}
