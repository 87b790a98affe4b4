package io.muninn.bench.paper;

import static io.muninn.bench.paper.NccStudy.FEW;
import static io.muninn.bench.paper.NccStudy.MANY;
import static io.muninn.bench.paper.NccStudy.first;
import static io.muninn.bench.paper.NccStudy.unaided;

import io.muninn.apps.Structure;
import io.muninn.sim.ncc.NccProtocol;
import io.muninn.sim.ncc.WritePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoublePredicate;

/**
 * What Kontothanassis and Scott say of their results, beside ours. A claim that is not held has its
 * cause in the page that is written by hand.
 */
final class NccClaims {
    private static final List<NccProgram> KERNELS =
            List.of(NccProgram.GAUSS, NccProgram.SOR, NccProgram.FFT);

    private final NccRuns runs;
    private final List<Claim> claims = new ArrayList<>();

    private NccClaims(NccRuns runs) {
        this.runs = runs;
    }

    /** All claims, in the order of the paper. */
    static List<Claim> of(NccRuns runs) {
        NccClaims all = new NccClaims(runs);
        all.unsafe();
        all.protocols();
        all.policies();
        all.levels();
        all.hardware();
        return all.claims;
    }

    /** Adds a claim about runs that there are. */
    private void add(String text, String paper, double ours, DoublePredicate isHeld) {
        if (!Double.isNaN(ours)) {
            String number = String.format(Locale.ROOT, "%.2f", ours);
            claims.add(new Claim(text, paper, number, isHeld.test(ours)));
        }
    }

    private void unsafe() {
        for (NccProgram program : NccProgram.values()) {
            double ratio = runs.ratio(first(program), first(program).with(NccStudy.ALWAYS_SAFE));
            add(
                    "2: unsafe pages help " + program.title() + " as it was, and not much",
                    "0.65 to 1",
                    ratio,
                    each -> each >= 0.65 && each <= 1.005);
        }
    }

    private void protocols() {
        NccProtocol del = NccProtocol.DISTRIBUTED_DELAYED;
        for (NccProgram program : NccProgram.values()) {
            boolean isShared = program == NccProgram.WATER || program == NccProgram.MP3D;
            NccPoint unit = unaided(program, del);
            double central = runs.ratio(unaided(program, NccProtocol.CENTRAL_DELAYED), unit);
            add(
                    "4.1: " + program.title() + " with one weak list takes longer",
                    isShared ? "almost 3" : "1.02 to 1.35",
                    central,
                    each -> isShared ? each >= 2 : each >= 1.015 && each <= 1.4);
            double immediate =
                    runs.ratio(unaided(program, NccProtocol.DISTRIBUTED_IMMEDIATE), unit);
            add(
                    "4.1: " + program.title() + " with immediate transitions takes longer",
                    "at least 1",
                    immediate,
                    each -> each >= 0.995);
            double sequential = runs.ratio(unaided(program, NccProtocol.SEQUENTIAL), unit);
            boolean wins = program == NccProgram.GAUSS;
            add(
                    "4.1: " + program.title() + " under seq takes " + (wins ? "less" : "longer"),
                    wins ? "less than 1" : "more than 1",
                    sequential,
                    each -> wins ? each < 1 : each > 1);
        }
        add(
                "4.1: in water, seq wins over one weak list",
                "less than 1",
                runs.ratio(
                        unaided(NccProgram.WATER, NccProtocol.SEQUENTIAL),
                        unaided(NccProgram.WATER, NccProtocol.CENTRAL_DELAYED)),
                each -> each < 1);
    }

    private void policies() {
        for (NccProgram program : NccProgram.values()) {
            NccPoint merged = NccPoint.best(program, MANY);
            double back = runs.ratio(merged, merged.with(WritePolicy.WRITE_BACK));
            double through = runs.ratio(merged, merged.with(WritePolicy.WRITE_THROUGH));
            add(
                    "4.2: " + program.title() + " with a merge buffer, beside write-back",
                    program == NccProgram.GAUSS ? "1 to 1.05" : "less than 1",
                    back,
                    each -> each <= (program == NccProgram.GAUSS ? 1.05 : 1));
            add(
                    "4.2: " + program.title() + " with a merge buffer, beside write-through",
                    program == NccProgram.MP3D ? "1 to 1.05" : "less than 1",
                    through,
                    each -> each <= (program == NccProgram.MP3D ? 1.05 : 1));
        }
    }

    private double step(NccProgram program, String from, String to) {
        return runs.ratio(first(program).with(to), first(program).with(from));
    }

    private void levels() {
        DoublePredicate helps = each -> each < 0.95;
        DoublePredicate helpsLittle = each -> each >= 0.9 && each <= 1.01;
        NccProgram gauss = NccProgram.GAUSS;
        add(
                "4.3: Gauss gains markedly by a lock apart from its data",
                "well below 1",
                step(gauss, Structure.PLAIN, Structure.SEPARATED),
                helps);
        add(
                "4.3: Gauss gains by readers' locks",
                "below 1",
                step(gauss, Structure.SEPARATED, Structure.READERS),
                helps);
        add(
                "4.3: Gauss gains little by remote references",
                "about 1",
                step(gauss, Structure.READERS, Structure.REMOTE),
                helpsLittle);
        NccProgram mp3d = NccProgram.MP3D;
        add(
                "4.3: mp3d gains by separation and padding",
                "below 1",
                step(mp3d, Structure.PLAIN, Structure.PADDED),
                helps);
        add(
                "4.3: mp3d gains even more by sorting",
                "below 1",
                step(mp3d, Structure.PADDED, Structure.SORTED),
                helps);
        add(
                "4.3: mp3d gains almost two-fold by remote references",
                "about 0.5",
                step(mp3d, Structure.SORTED, Structure.REMOTE),
                each -> each >= 0.4 && each <= 0.65);
        NccProgram appbt = NccProgram.APPBT;
        add(
                "4.3: appbt gains dramatically by alignment",
                "well below 1",
                step(appbt, Structure.PLAIN, "aligned"),
                helps);
        add(
                "4.3: appbt gains by remote references",
                "about 0.88",
                step(appbt, "aligned", Structure.REMOTE),
                helps);
        NccProgram water = NccProgram.WATER;
        add(
                "4.3: water gains most by padding and separation",
                "well below 1",
                step(water, Structure.PLAIN, Structure.SEPARATED),
                helps);
        add(
                "4.3: water gains little by remote references",
                "about 1",
                step(water, Structure.SEPARATED, Structure.REMOTE),
                helpsLittle);
    }

    private void hardware() {
        for (int nodes : List.of(FEW, MANY)) {
            for (NccProgram program : NccProgram.values()) {
                List<NccPoint> three = NccStudy.hardware(program, nodes);
                boolean isAhead = KERNELS.contains(program);
                double most = nodes == FEW && program == NccProgram.MP3D ? 1.35 : 1.55;
                add(
                        "4.4: "
                                + program.title()
                                + " in software beside hw.rel on "
                                + nodes
                                + " processors",
                        isAhead ? "less than 1" : "at most " + most,
                        runs.ratio(three.get(0), three.get(1)),
                        each -> isAhead ? each < 1 : each <= most);
            }
        }
    }
}
