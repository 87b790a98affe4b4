package io.muninn.sim.program;

import io.muninn.api.Mode;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Adds to a program what may stand anywhere in it: threads refresh now and then, and prefetch pages
 * that they may never use. Nothing is added within calls of shipped objects, which other threads
 * run.
 */
final class Polling {
    private static final int ONE_IN_MAX = 12;
    private static final int PAGES_MAX = 4;

    private final Random random;
    private final int oneIn; // steps before which something is added
    private final Program program;
    private int lastUnit;

    private Polling(long seed, Program program) {
        random = new Random(seed);
        oneIn = 2 + random.nextInt(ONE_IN_MAX);
        this.program = program;
        lastUnit = program.units().isEmpty() ? 0 : program.units().getLast();
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
        Mode mode = random.nextBoolean() ? Mode.READ : Mode.WRITE;
        return new Op.Prefetch(new PageId(region.index(), first), count, mode);
    }
}
