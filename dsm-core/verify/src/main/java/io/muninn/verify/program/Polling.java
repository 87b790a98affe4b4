package io.muninn.verify.program;

import io.muninn.api.Advice;
import io.muninn.api.Mode;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Adds operations to a program that are permitted anywhere: threads refresh sometimes, and prefetch
 * pages that they may never use. If diffs are pushed, they also give correct or wrong advice: on
 * the readers of pages, on pushes, and on the lock that guards pages. Nothing is added within calls
 * of shipped objects, which other threads run.
 */
final class Polling {
    private static final int ONE_IN_MAX = 12;
    private static final int PAGES_MAX = 4;

    private final Random random;
    private final int oneIn; // one step in this many follows an added operation
    private final Program program;
    private final List<LockId> locks; // of advice; empty without advice
    private final boolean advises;
    private int lastUnit;

    private Polling(long seed, Program program) {
        random = new Random(seed);
        oneIn = 2 + random.nextInt(ONE_IN_MAX);
        this.program = program;
        advises = program.regions().stream().anyMatch(region -> has(region, Trait.PUSHES));
        locks = advises ? locksOf(program) : List.of();
        lastUnit = program.units().isEmpty() ? 0 : program.units().getLast();
    }

    private static boolean has(RegionSpec region, Trait trait) {
        return ProtocolKind.of(region.protocol()).traits().has(trait);
    }

    private static List<LockId> locksOf(Program program) {
        return program.scripts().stream()
                .flatMap(List::stream)
                .map(Program.Step::op)
                .filter(Op.Acquire.class::isInstance)
                .map(op -> ((Op.Acquire) op).lock())
                .distinct()
                .toList();
    }

    /**
     * @return the same program for the same arguments
     */
    static Program of(long seed, Program program) {
        return new Polling(seed, program).write();
    }

    private Program write() {
        List<List<Program.Step>> scripts = new ArrayList<>();
        for (List<Program.Step> script : program.scripts()) {
            List<Program.Step> steps = new ArrayList<>();
            int calls = 0; // that enclose the step
            for (Program.Step step : script) {
                if (calls == 0 && random.nextInt(oneIn) == 0) {
                    steps.add(new Program.Step(++lastUnit, op()));
                }
                calls += step.op() instanceof Op.Ship ? 1 : 0;
                calls -= step.op() instanceof Op.Return ? 1 : 0;
                steps.add(step);
            }
            scripts.add(steps);
        }
        return program.withScripts(scripts);
    }

    private Op op() {
        if (random.nextBoolean()) {
            return new Op.Refresh();
        }
        RegionSpec region = program.regions().get(random.nextInt(program.regions().size()));
        int first = random.nextInt(region.pages());
        int count = 1 + random.nextInt(Math.min(PAGES_MAX, region.pages() - first));
        PageId page = new PageId(region.index(), first);
        if (advises && random.nextBoolean()) {
            if (has(region, Trait.PUSHES)) {
                return new Op.Advise(page, count, adviceAboutReaders());
            }
            if (has(region, Trait.TRAVELS_WITH_LOCKS) && !locks.isEmpty()) {
                String lock = locks.get(random.nextInt(locks.size())).name();
                return new Op.Advise(page, count, new PageAdvice.GuardedBy(lock));
            }
        }
        Mode mode = random.nextBoolean() ? Mode.READ : Mode.WRITE;
        return new Op.Prefetch(page, count, mode);
    }

    private PageAdvice adviceAboutReaders() {
        int node = random.nextInt(program.nodes());
        return switch (random.nextInt(5)) {
            case 0 -> new PageAdvice.Coherence(Advice.FLUSH);
            case 1 -> new PageAdvice.Coherence(Advice.INVALIDATE);
            case 2 -> new PageAdvice.ClearReaders();
            case 3 -> new PageAdvice.RemoveReader(node);
            default -> new PageAdvice.AddReader(node);
        };
    }
}
