package io.muninn.bench.paper;

import io.muninn.sim.ncc.NccModel;
import io.muninn.sim.ncc.NccProtocol;
import io.muninn.sim.ncc.NccResult;
import io.muninn.sim.ncc.Spent;
import io.muninn.sim.ncc.WritePolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.SequencedSet;

/**
 * What the study of machines without coherent caches runs, and its figures.
 *
 * <p>Source: Kontothanassis and Scott, "Software Cache Coherence for Large Scale Multiprocessors",
 * section 4.
 */
final class NccStudy {
    static final int MANY = 64;
    static final int FEW = 16;

    /** No page becomes unsafe. */
    static final NccModel ALWAYS_SAFE = NccModel.PAPER.withThresholds(1 << 20, 8);

    /** Each page that becomes weak is unsafe from then on. */
    static final NccModel ALWAYS_UNSAFE = NccModel.PAPER.withThresholds(0, 1 << 20);

    /** A check of what the paper does not say: a cache of four ways. */
    static final NccModel FOUR_WAYS = NccModel.PAPER.withCache(128 << 10, 4);

    private static final List<NccProtocol> SOFTWARE =
            List.of(
                    NccProtocol.DISTRIBUTED_DELAYED,
                    NccProtocol.DISTRIBUTED_IMMEDIATE,
                    NccProtocol.CENTRAL_DELAYED,
                    NccProtocol.CENTRAL_IMMEDIATE,
                    NccProtocol.SEQUENTIAL);

    private static final List<NccModel> THRESHOLDS =
            List.of(ALWAYS_SAFE, NccModel.PAPER, ALWAYS_UNSAFE);

    /** The programs on which the associativity was chosen, which the paper does not say. */
    private static final List<NccProgram> CHECKED = List.of(NccProgram.SOR, NccProgram.FFT);

    private NccStudy() {}

    /** All runs of a program, each once. */
    static SequencedSet<NccPoint> points(NccProgram program) {
        SequencedSet<NccPoint> points = new LinkedHashSet<>();
        SOFTWARE.forEach(protocol -> points.add(unaided(program, protocol)));
        for (WritePolicy policy : WritePolicy.values()) {
            points.add(NccPoint.best(program, MANY).with(policy));
        }
        program.levels().forEach(level -> points.add(NccPoint.best(program, MANY).with(level)));
        for (int nodes : List.of(FEW, MANY)) {
            hardware(program, nodes).forEach(points::add);
        }
        if (CHECKED.contains(program)) {
            SOFTWARE.forEach(each -> points.add(unaided(program, each).with(FOUR_WAYS)));
            hardware(program, MANY).forEach(each -> points.add(each.with(FOUR_WAYS)));
        }
        THRESHOLDS.forEach(model -> points.add(first(program).with(model)));
        return points;
    }

    /** The program of Figures 2 and 3 under a protocol. */
    static NccPoint unaided(NccProgram program, NccProtocol protocol) {
        return NccPoint.best(program, MANY)
                .with(WritePolicy.WRITE_BACK)
                .with(program.unaided())
                .with(protocol);
    }

    /** The program as it was. */
    static NccPoint first(NccProgram program) {
        String level = program.levels().isEmpty() ? "" : program.levels().getFirst();
        return NccPoint.best(program, MANY).with(level);
    }

    /** The best software, then hardware: release consistency and sequential consistency. */
    static List<NccPoint> hardware(NccProgram program, int nodes) {
        NccPoint best = NccPoint.best(program, nodes);
        return List.of(
                best,
                best.with(NccProtocol.HARDWARE_RELEASE),
                best.with(NccProtocol.HARDWARE_SEQUENTIAL));
    }

    /** All figures. */
    static List<NccFigure> figures(NccRuns runs) {
        List<NccFigure> all = new ArrayList<>();
        all.add(protocols(runs));
        all.addAll(overheads(runs));
        all.add(policies(runs));
        all.add(levels(runs, 5, "mp3d and Gauss", List.of(NccProgram.MP3D, NccProgram.GAUSS)));
        all.add(levels(runs, 6, "appbt and water", List.of(NccProgram.APPBT, NccProgram.WATER)));
        all.add(hardware(runs, 7, FEW));
        all.add(hardware(runs, 8, MANY));
        all.add(thresholds(runs));
        all.add(associativity(runs));
        return all;
    }

    private static NccFigure protocols(NccRuns runs) {
        NccFigure figure =
                new NccFigure(
                        "figure-2",
                        "Figure 2: software protocols on 64 processors",
                        "time, rel.distr.del = 1",
                        SOFTWARE.stream().map(NccProtocol::text).toList());
        for (NccProgram program : NccProgram.values()) {
            NccPoint unit = unaided(program, NccProtocol.DISTRIBUTED_DELAYED);
            figure.add(
                    program.title(),
                    SOFTWARE.stream()
                            .map(each -> runs.ratio(unaided(program, each), unit))
                            .toList());
        }
        return figure;
    }

    /** A figure for each kind of overhead. */
    private static List<NccFigure> overheads(NccRuns runs) {
        List<NccFigure> all = new ArrayList<>();
        for (Spent kind : Spent.values()) {
            if (kind == Spent.COMPUTATION) {
                continue;
            }
            String name = kind.name().toLowerCase(Locale.ROOT);
            NccFigure figure =
                    new NccFigure(
                            "figure-3-" + name,
                            "Figure 3: overhead on 64 processors, " + name,
                            "part of all cycles of rel.distr.del",
                            SOFTWARE.stream().map(NccProtocol::text).toList());
            for (NccProgram program : NccProgram.values()) {
                figure.add(
                        program.title(),
                        SOFTWARE.stream()
                                .map(each -> overhead(runs, program, each, kind))
                                .toList());
            }
            all.add(figure);
        }
        return all;
    }

    private static double overhead(
            NccRuns runs, NccProgram program, NccProtocol protocol, Spent kind) {
        NccResult unit = runs.results().get(unaided(program, NccProtocol.DISTRIBUTED_DELAYED));
        NccResult of = runs.results().get(unaided(program, protocol));
        return unit == null || of == null
                ? Double.NaN
                : (double) of.spent(kind) / (unit.cycles() * MANY);
    }

    private static NccFigure policies(NccRuns runs) {
        NccFigure figure =
                new NccFigure(
                        "figure-4",
                        "Figure 4: write policies on 64 processors",
                        "time, merge-buffer = 1",
                        Arrays.stream(WritePolicy.values()).map(WritePolicy::text).toList());
        for (NccProgram program : NccProgram.values()) {
            NccPoint unit = NccPoint.best(program, MANY);
            figure.add(
                    program.title(),
                    Arrays.stream(WritePolicy.values())
                            .map(each -> runs.ratio(unit.with(each), unit))
                            .toList());
        }
        return figure;
    }

    private static NccFigure levels(
            NccRuns runs, int number, String of, List<NccProgram> programs) {
        List<String> all =
                programs.stream().flatMap(each -> each.levels().stream()).distinct().toList();
        NccFigure figure =
                new NccFigure(
                        "figure-" + number,
                        "Figure " + number + ": levels of structure of " + of,
                        "time, plain = 1",
                        all);
        for (NccProgram program : programs) {
            figure.add(
                    program.title(),
                    all.stream()
                            .map(level -> runs.ratio(first(program).with(level), first(program)))
                            .toList());
        }
        return figure;
    }

    private static NccFigure hardware(NccRuns runs, int number, int nodes) {
        NccFigure figure =
                new NccFigure(
                        "figure-" + number,
                        "Figure "
                                + number
                                + ": the best software and hardware on "
                                + nodes
                                + " processors",
                        "time, hw.seq = 1",
                        List.of("rel.distr.del", "hw.rel"));
        for (NccProgram program : NccProgram.values()) {
            List<NccPoint> three = hardware(program, nodes);
            figure.add(
                    program.title(),
                    List.of(
                            runs.ratio(three.get(0), three.get(2)),
                            runs.ratio(three.get(1), three.get(2))));
        }
        return figure;
    }

    private static NccFigure thresholds(NccRuns runs) {
        NccFigure figure =
                new NccFigure(
                        "thresholds",
                        "Unsafe pages: programs as they were, by the notices before a page is"
                                + " unsafe",
                        "time, never unsafe = 1",
                        List.of("never", "4", "always"));
        for (NccProgram program : NccProgram.values()) {
            NccPoint unit = first(program).with(ALWAYS_SAFE);
            figure.add(
                    program.title(),
                    THRESHOLDS.stream()
                            .map(model -> runs.ratio(first(program).with(model), unit))
                            .toList());
        }
        return figure;
    }

    /** The effect of the associativity, which the paper does not say. */
    private static NccFigure associativity(NccRuns runs) {
        List<NccProtocol> protocols = new ArrayList<>(SOFTWARE);
        protocols.add(NccProtocol.HARDWARE_RELEASE);
        protocols.add(NccProtocol.HARDWARE_SEQUENTIAL);
        NccFigure figure =
                new NccFigure(
                        "ways",
                        "Caches of four ways, write-back",
                        "time, one way = 1",
                        protocols.stream().map(NccProtocol::text).toList());
        for (NccProgram program : CHECKED) {
            List<Double> heights = new ArrayList<>();
            for (NccProtocol protocol : SOFTWARE) {
                NccPoint unit = unaided(program, protocol);
                heights.add(runs.ratio(unit.with(FOUR_WAYS), unit));
            }
            hardware(program, MANY).stream()
                    .skip(1)
                    .forEach(unit -> heights.add(runs.ratio(unit.with(FOUR_WAYS), unit)));
            figure.add(program.title(), heights);
        }
        return figure;
    }
}
