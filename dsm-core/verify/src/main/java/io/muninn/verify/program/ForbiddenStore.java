package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A program that stores to a read-only variable after initialization, which is forbidden. The run
 * must end for that reason and name the variable, in every state of the page on that node: absent,
 * requested for a thread or by read-ahead, or readable.
 */
public final class ForbiddenStore {
    /** The protocol of its region. */
    public static final Protocol PROTOCOL = Protocol.READ_ONLY;

    private static final int NODES = 2;
    private static final int THREADS = 2;
    private static final int KINDS = 4;
    private static final int PAGES = 4;
    private static final long LIMIT_NANOS = 60_000_000_000L;
    private static final Variable WORD = new Variable(new PageId(0, 0), 0, Long.BYTES);

    private static final Variable BEHIND = new Variable(new PageId(0, 1), 0, Long.BYTES);

    /** Page 1 is requested together with page 0. */
    private static final UpdateRules UPDATES =
            UpdateRules.PLAIN.withReadAhead(new ReadAheadRules(PAGES, 1));

    private ForbiddenStore() {}

    /**
     * @param seed decides the page's state at the store, and the delays
     * @throws Violation if the run did not end for that reason
     */
    public static void run(long seed, List<Observer> observers) {
        Random random = new Random(SeededRun.spread(seed));
        RandomDelays delays =
                new RandomDelays(new Random(random.nextLong()), new Random(seed), NODES);
        try {
            ProgramRun.run(
                    program(Math.floorMod(seed, KINDS)), delays, _ -> {}, observers, LIMIT_NANOS);
        } catch (Violation ended) {
            if (ended.checker().equals(ProgramRun.PROGRAM)
                    && String.valueOf(ended.getMessage())
                            .contains("READ_ONLY variable 'constant'")) {
                return;
            }
            throw ended;
        }
        throw new Violation(
                ProgramRun.PROGRAM, "a store to a read-only variable did not end the run");
    }

    /**
     * @param kind 0: the page is absent; 1: another thread's load has requested it; 2: it is
     *     readable; 3: read-ahead has requested it, if the load is first
     */
    private static Program program(int kind) {
        List<List<Program.Step>> scripts = new ArrayList<>();
        for (int thread = 0; thread < NODES * THREADS; thread++) {
            scripts.add(new ArrayList<>());
        }
        List<Program.Step> storing = scripts.get(NODES * THREADS - 1);
        List<Program.Step> loading = scripts.get(NODES * THREADS - 2);
        if (kind > 0) {
            loading.add(new Program.Step(0, new Op.Load(WORD, Op.NO_REGISTER)));
        }
        if (kind == 2) {
            storing.add(new Program.Step(0, new Op.Load(WORD, Op.NO_REGISTER)));
        }
        Variable stored = kind == 3 ? BEHIND : WORD;
        storing.add(new Program.Step(0, new Op.Store(stored, 2)));
        RegionSpec region =
                new RegionSpec(
                        0,
                        "constant",
                        PROTOCOL,
                        0,
                        PAGES * RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        List.of());
        Program program =
                new Program(
                        NODES,
                        THREADS,
                        0,
                        List.of(region),
                        List.of(new Op.Store(WORD, 1)),
                        scripts);
        return kind == 3 ? program.withUpdates(UPDATES) : program;
    }
}
