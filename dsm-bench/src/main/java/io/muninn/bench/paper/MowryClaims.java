package io.muninn.bench.paper;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoublePredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * What the paper on prefetching and multithreading says of its results, checked with ours. A claim
 * of which a run is missing is left out. Where the paper says <em>roughly</em>, ten points more or
 * less are as good.
 */
final class MowryClaims {
    private static final int PROGRAMS = 8;
    private static final double HALF = 50;
    private static final double ROUGHLY = 10;

    private static final List<PaperVersion> THREADS =
            Mowry.THREADS.subList(1, Mowry.THREADS.size());
    private static final List<PaperVersion> BOTH =
            List.of(PaperVersion.BOTH_2, PaperVersion.BOTH_4, PaperVersion.BOTH_8);

    private final PaperResults results;
    private final List<PaperProgram> programs; // each in one layout
    private final MowryTables tables;
    private final List<Claim> claims = new ArrayList<>();

    /** A number of a program's version; empty if a run is missing. */
    private interface Quantity {
        OptionalDouble of(PaperProgram program, PaperVersion version);
    }

    MowryClaims(PaperResults results, MowryTables tables) {
        this.results = results;
        this.programs =
                results.programs().stream().filter(each -> each.name().equals(each.row())).toList();
        this.tables = tables;
    }

    List<Claim> all() {
        original();
        prefetching();
        fates();
        threads();
        locality();
        both();
        return List.copyOf(claims);
    }

    private void original() {
        PaperVersion o = PaperVersion.ORIGINAL;
        count("1.1: over half of the time is stall", 6, o, this::stalled, each -> each > HALF);
    }

    private void prefetching() {
        PaperVersion p = PaperVersion.PREFETCH;
        count("3.3: prefetching speeds up", PROGRAMS, p, tables::gain, each -> each > 0);
        count("3.3: by 4 to 29 %", PROGRAMS, p, tables::gain, each -> each >= 4 && each <= 29);
        count(
                "3.3: it removes 45 to 92 % of the memory stall",
                PROGRAMS, p, tables::memoryRemoved, each -> each >= 45 && each <= 92);
        count(
                "3.3: its overhead is under 3 % of the time",
                PROGRAMS,
                p,
                (program, version) -> tables.part(program, version, TimePart.PREFETCH),
                each -> each < 3);
        one("3.3: RADIX, synchronization falls by 21 %", "radix", p, this::syncRemoved, 21);
        for (String program : List.of("fft", "lu-cont", "radix", "sor")) {
            holds(
                    "3.3: %s, the average miss takes longer with prefetches, times",
                    "2.6 to 16", program, p, this::latencyRatio, each -> each > 1);
        }
    }

    private void fates() {
        for (PaperProgram program : programs) {
            faults(program)
                    .ifPresent(each ->
                            claim(
                                    "3.3: "
                                            + program.title()
                                            + ", pf-hit is the largest case, in per cent",
                                    "–",
                                    decimal(100.0 * each.hits() / each.all()),
                                    each.hits() >= each.alone()
                                            && each.hits() >= each.late()
                                            && each.hits() >= each.invalidated()));
        }
        PaperVersion p = PaperVersion.PREFETCH;
        first("3.3: RADIX has the largest fraction of late prefetches", "radix", p, this::late);
    }

    private void threads() {
        PaperVersion eight = PaperVersion.THREADS_8;
        count("4.3: threads gain 6 % or more", 6, eight, this::bestOfThreads, each -> each >= 6);
        count("4.3: threads gain over 50 %", 2, eight, this::bestOfThreads, each -> each > HALF);
        best("4.3: %s, of threads alone two are best", THREADS, "water-sp", PaperVersion.THREADS_2);
        one(
                "5.2: WATER-NSQ, 8T remove 80 % of its synchronization",
                "water-nsq", eight, this::syncRemoved, 80);
        holds(
                "5.2: %s, P removes over 80 %% of its memory stall",
                "> 80",
                "water-nsq",
                PaperVersion.PREFETCH,
                tables::memoryRemoved,
                each -> each > 80);
        holds(
                "5.2: %s, 8T remove less than 50 %% of its memory stall",
                "< 50", "water-nsq", eight, tables::memoryRemoved, each -> each < HALF);
    }

    private void locality() {
        PaperVersion four = PaperVersion.THREADS_4;
        PaperVersion eight = PaperVersion.THREADS_8;
        for (String program : List.of("lu-ncont", "radix")) {
            holds(
                    "4.3: %s, 4T need fewer messages, times",
                    "0.17, 0.61", program, four, this::messageRatio, each -> each < 1);
        }
        for (String program : List.of("lu-cont", "ocean")) {
            holds(
                    "4.3: %s, 8T need more messages than O, times",
                    "1.57, 1.49", program, eight, this::messageRatio, each -> each > 1);
        }
    }

    private void both() {
        for (String program : List.of("fft", "ocean", "water-nsq")) {
            best(
                    "5.2: %s, both together are best",
                    Mowry.COMBINED, program, BOTH.toArray(PaperVersion[]::new));
        }
        for (String program : List.of("lu-ncont", "radix")) {
            best(
                    "5.2: %s, threads alone are best",
                    Mowry.COMBINED, program, THREADS.toArray(PaperVersion[]::new));
        }
        for (String program : List.of("lu-cont", "sor", "water-sp")) {
            best(
                    "5.2: %s, prefetching alone is best",
                    Mowry.COMBINED, program, PaperVersion.PREFETCH);
        }
        programs.forEach(this::twice);
    }

    /** Section 5: switching at pages that are prefetched was never the best. */
    private void twice(PaperProgram program) {
        Optional<PaperVersion> twice = bestOf(program, Mowry.TWICE);
        List<PaperVersion> single =
                Stream.concat(Stream.of(PaperVersion.PREFETCH), THREADS.stream()).toList();
        Optional<PaperVersion> alone = bestOf(program, single);
        if (twice.isPresent() && alone.isPresent()) {
            double ours = tables.gain(program, twice.get()).orElseThrow();
            double other = tables.gain(program, alone.get()).orElseThrow();
            claim(
                    "5: "
                            + program.title()
                            + ", threads that switch at prefetched pages, too, lose"
                            + " to P or to threads",
                    "–",
                    decimal(ours) + " against " + decimal(other),
                    ours <= other);
        }
    }

    // ---- kinds of claims ----

    /** At least so many programs are as the paper says. */
    private void count(
            String text,
            int atLeast,
            PaperVersion version,
            Quantity quantity,
            DoublePredicate rule) {
        double[] all =
                programs.stream()
                        .map(program -> quantity.of(program, version))
                        .flatMapToDouble(OptionalDouble::stream)
                        .toArray();
        if (all.length < PROGRAMS) {
            return;
        }
        long count = DoubleStream.of(all).filter(rule).count();
        String range =
                decimal(DoubleStream.of(all).min().orElseThrow())
                        + " to "
                        + decimal(DoubleStream.of(all).max().orElseThrow());
        claim(text + ", programs", number(atLeast), count + " (" + range + ")", count >= atLeast);
    }

    private static String number(int count) {
        return String.format(Locale.ROOT, "%d", count);
    }

    /** A percentage is roughly the paper's. */
    private void one(
            String text, String program, PaperVersion version, Quantity quantity, double paper) {
        DoublePredicate rule = ours -> Math.abs(ours - paper) <= ROUGHLY;
        holds(text, decimal(paper), program, version, quantity, rule);
    }

    private void holds(
            String text,
            String paper,
            String program,
            PaperVersion version,
            Quantity quantity,
            DoublePredicate rule) {
        named(program)
                .ifPresent(each ->
                        quantity.of(each, version)
                                .ifPresent(ours ->
                                        claim(
                                                title(text, each),
                                                paper,
                                                decimal(ours),
                                                rule.test(ours))));
    }

    /** No program has more of it. */
    private void first(String text, String program, PaperVersion version, Quantity quantity) {
        Optional<PaperProgram> most =
                programs.stream()
                        .filter(each -> quantity.of(each, version).isPresent())
                        .max(
                                Comparator.comparingDouble(
                                        each -> quantity.of(each, version).orElseThrow()));
        if (most.isPresent() && programs.size() == PROGRAMS) {
            claim(text, "–", most.get().title(), most.get().name().equals(program));
        }
    }

    /** The fastest of some versions is one of those that the paper names. */
    private void best(
            String text, List<PaperVersion> of, String program, PaperVersion... expected) {
        Optional<PaperProgram> named = named(program);
        Optional<PaperVersion> best = named.flatMap(each -> bestOf(each, of));
        if (best.isPresent()) {
            claim(
                    title(text, named.get()),
                    "–",
                    best.get().label()
                            + " "
                            + decimal(tables.gain(named.get(), best.get()).orElseThrow()),
                    List.of(expected).contains(best.get()));
        }
    }

    private Optional<PaperVersion> bestOf(PaperProgram program, List<PaperVersion> of) {
        boolean isComplete = of.stream().allMatch(each -> tables.gain(program, each).isPresent());
        return isComplete
                ? of.stream()
                        .max(
                                Comparator.comparingDouble(
                                        each -> tables.gain(program, each).orElseThrow()))
                : Optional.empty();
    }

    private void claim(String text, String paper, String ours, boolean isHeld) {
        claims.add(new Claim(text, paper, ours, isHeld));
    }

    // ---- quantities ----

    private OptionalDouble stalled(PaperProgram program, PaperVersion version) {
        return sum(
                tables.part(program, version, TimePart.MEMORY),
                tables.part(program, version, TimePart.SYNCHRONIZATION));
    }

    private static OptionalDouble sum(OptionalDouble one, OptionalDouble other) {
        return one.isEmpty() || other.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(one.getAsDouble() + other.getAsDouble());
    }

    private OptionalDouble bestOfThreads(PaperProgram program, PaperVersion any) {
        return bestOf(program, THREADS)
                .map(each -> tables.gain(program, each))
                .orElse(OptionalDouble.empty());
    }

    private OptionalDouble syncRemoved(PaperProgram program, PaperVersion version) {
        TimePart part = TimePart.SYNCHRONIZATION;
        OptionalDouble before = tables.part(program, PaperVersion.ORIGINAL, part);
        OptionalDouble after = tables.part(program, version, part);
        return before.isEmpty() || after.isEmpty() || before.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(100 * (1 - after.getAsDouble() / before.getAsDouble()));
    }

    private OptionalDouble latencyRatio(PaperProgram program, PaperVersion version) {
        return ratio(program, version, MowryTables::latencyMicros);
    }

    private OptionalDouble messageRatio(PaperProgram program, PaperVersion version) {
        return ratio(program, version, SimulatedTimes::messages);
    }

    private OptionalDouble ratio(
            PaperProgram program, PaperVersion version, ToDoubleFunction<SimulatedTimes> of) {
        Optional<SimulatedTimes> before = at(program, PaperVersion.ORIGINAL);
        Optional<SimulatedTimes> after = at(program, version);
        return before.isEmpty() || after.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(of.applyAsDouble(after.get()) / of.applyAsDouble(before.get()));
    }

    private OptionalDouble late(PaperProgram program, PaperVersion version) {
        return at(program, version).stream()
                .map(run -> run.hiding().faults())
                .mapToDouble(each -> 100.0 * each.late() / each.all())
                .findFirst();
    }

    private Optional<FaultFates.Counts> faults(PaperProgram program) {
        return at(program, PaperVersion.PREFETCH).map(run -> run.hiding().faults());
    }

    private Optional<SimulatedTimes> at(PaperProgram program, PaperVersion version) {
        return results.at(program.name(), version, results.most());
    }

    private Optional<PaperProgram> named(String program) {
        return programs.stream().filter(each -> each.name().equals(program)).findFirst();
    }

    private static String title(String text, PaperProgram program) {
        return text.contains("%s") ? String.format(Locale.ROOT, text, program.title()) : text;
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
