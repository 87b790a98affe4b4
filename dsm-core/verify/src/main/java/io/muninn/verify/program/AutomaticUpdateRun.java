package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.model.NodeThreads;
import io.muninn.sim.Observer;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpModel;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.Views;
import java.util.List;
import java.util.Random;

/**
 * A random program on nodes whose hardware sends stores to home-based pages with another home
 * (AURC). The nodes have 1 to 3 processes with 1 or 2 threads each: six seeds in a row have all of
 * these. The delays are those of the machine, without disruptions.
 */
public final class AutomaticUpdateRun {
    public static final Protocol PROTOCOL = Protocol.HOME_BASED;

    private static final SmpModel MODEL = SmpModel.named("smp-1998");
    private static final int NODES_MIN = 2;
    private static final int NODES_MAX = 4;
    private static final int PROCESSES_MAX = 3;
    private static final int THREADS_MAX = 2;

    /** Of programs, one whose threads also refresh and prefetch. */
    private static final int POLLING_ONE_IN = 3;

    /** Of programs, one whose fetches take pages. */
    private static final int TAKING_ONE_IN = 3;

    private AutomaticUpdateRun() {}

    /**
     * @param seed decides the program and where requests are handled
     * @throws Violation if a check fails
     */
    public static void run(long seed, List<Observer> observers) {
        HandlerPolicy[] policies = HandlerPolicy.values();
        int policy = Math.floorMod(SeededRun.spread(seed), policies.length);
        run(program(seed), policies[policy], seed, observers);
    }

    static void run(Program program, HandlerPolicy policy, long chance, List<Observer> observers) {
        Delays delays = Delays.smp(MODEL, policy, true, chance);
        ProgramRun.run(program.withHold(MODEL.holdNanos()), delays, _ -> {}, observers);
    }

    static Program program(long seed) {
        Random random = new Random(SeededRun.spread(SeededRun.spread(seed)));
        int processes = 1 + (int) Math.floorMod(seed, (long) PROCESSES_MAX);
        int perProcess = 1 + (int) Math.floorMod(seed / PROCESSES_MAX, (long) THREADS_MAX);
        int nodes = NODES_MIN + random.nextInt(NODES_MAX - NODES_MIN + 1);
        long programSeed = random.nextLong();
        Program drawn =
                RandomProgram.of(
                        programSeed,
                        new RandomProgram.Shape(List.of(PROTOCOL), nodes, MODEL.holdNanos()),
                        new NodeThreads(processes, perProcess));
        Program program =
                random.nextInt(POLLING_ONE_IN) == 0 ? Polling.of(programSeed, drawn) : drawn;
        Views views = random.nextInt(TAKING_ONE_IN) == 0 ? Views.TAKING : Views.MERGING;
        UpdateRules updates =
                RandomRules.updates(random)
                        .withReadAhead(RandomRules.readAhead(programSeed, false))
                        .withLazyBytes(RandomRules.lazyBytes(programSeed, false))
                        .withViews(views);
        return program.withTwins(RandomRules.twins(random))
                .withUpdates(
                        random.nextBoolean()
                                ? updates.withLimits(RandomRules.limits(random))
                                : updates);
    }
}
