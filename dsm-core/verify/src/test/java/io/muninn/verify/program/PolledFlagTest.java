package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Home;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.sim.Disruptions;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A litmus test of polls: a node stores data and then a flag, with no release that reaches another;
 * that one refreshes, loads the flag, and loads the data. The load of the flag may show a store
 * that the refresh before it has not acquired. A refresh between flag and data acquires the data.
 */
class PolledFlagTest {
    private static final int RUNS = 25;
    private static final int RUNS_MAX = 3_000;
    private static final int STORES_MAX = 40; // to other words of the flag's page
    private static final int FIRST_STORE = 8; // the first of these words
    private static final int PAUSE_USUAL_MAX = 24;
    private static final LockId LOCK = new LockId("lock");
    private static final BarrierId COPIES = new BarrierId("copies");

    /** The protocols of the flag and of the data. */
    private record Pair(ProtocolKind flag, ProtocolKind data) {
        /**
         * The node that stores; the one behind it loads. Node 0 is the home of all pages, and one
         * over a pool publishes a page at its first release after others have entered it, stored to
         * or not.
         */
        int storing() {
            return data.traits().has(Trait.POOLED) ? 1 : 0;
        }
    }

    private static Stream<Pair> pairs() {
        return kinds().flatMap(flag -> kinds().map(data -> new Pair(flag, data)))
                .filter(pair ->
                        pair.flag == pair.data
                                || pair.flag.protocol()
                                        != pair.data.protocol()); // one variant in a run
    }

    private static Stream<Pair> pairsWithInvalidatedData() {
        return pairs().filter(pair -> pair.data.traits().has(Trait.ACQUIRES_INVALIDATE))
                .filter(pair -> !pair.flag.traits().has(Trait.POOLED)); // shows no open interval
    }

    private static Stream<ProtocolKind> kinds() {
        return Arrays.stream(ProtocolKind.values())
                .filter(kind -> !kind.protocol().isSealed() && !kind.needsProcesses());
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void refreshBehindTheFlag_showsTheData(Pair pair) {
        Map<String, Integer> seen = explore(pair, true, RUNS, Set.of("0 0", "1 1"));

        assertEquals(Set.of("0 0", "1 1"), withoutTheRace(seen.keySet()), seen::toString);
    }

    /** The flag may be stored after it was loaded: the data of that store may be seen or not. */
    private static Set<String> withoutTheRace(Set<String> outcomes) {
        TreeSet<String> others = new TreeSet<>(outcomes);
        others.remove("0 1");
        return others;
    }

    /** Without that refresh, the loads find the flag without the data. */
    @ParameterizedTest
    @MethodSource("pairsWithInvalidatedData")
    void flag_isSeenBeforeDataThatAnAcquireInvalidates(Pair pair) {
        Map<String, Integer> seen = explore(pair, false, 1, Set.of("1 0"));

        assertTrue(seen.containsKey("1 0"), seen::toString);
    }

    /** Runs the test until it has shown all required outcomes, or too often. */
    private static Map<String, Integer> explore(
            Pair pair, boolean refreshes, int runs, Set<String> wanted) {
        Map<String, Integer> seen = new TreeMap<>();
        for (int seed = 0; seed < RUNS_MAX; seed++) {
            if (seed >= runs && seen.keySet().containsAll(wanted)) {
                break;
            }
            seen.merge(outcome(pair, refreshes, seed), 1, Integer::sum);
        }
        return seen;
    }

    private static String outcome(Pair pair, boolean refreshes, long seed) {
        Random random = new Random(SeededRun.spread(seed));
        int nodes = 2 + random.nextInt(2) + pair.storing();
        RandomDelays delays = new RandomDelays(random, random, nodes);
        Consumer<Simulation> trouble =
                random.nextInt(4) == 0 ? new Disruptions(random, delays, false) : _ -> {};
        Program program = new Draft(pair, refreshes, nodes, random, delays).program();
        return Litmus.outcome(ProgramRun.run(program, delays, trouble, List.of()).registers(), 2);
    }

    /** A program for one seed, under construction. */
    private record Draft(
            Pair pair, boolean refreshes, int nodes, Random random, RandomDelays delays) {
        private Program program() {
            List<List<Program.Step>> scripts = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                List<Op> ops = new ArrayList<>();
                if (node == pair.storing() || node == pair.storing() + 1) {
                    ops.add(load(0, 0, Op.NO_REGISTER));
                    ops.add(load(1, 0, Op.NO_REGISTER));
                    ops.add(new Op.Await(COPIES, 2));
                    ops.addAll(node == pair.storing() ? stores() : loads());
                }
                scripts.add(ops.stream().map(op -> new Program.Step(0, op)).toList());
            }
            List<RegionSpec> regions = List.of(region(0, pair.flag), region(1, pair.data));
            Program program =
                    new Program(nodes, 1, delays.wakeNanosMax() + 1, regions, List.of(), scripts);
            return program.withUpdates(pair.flag.rules(pair.data.rules(program.updates())));
        }

        private List<Op> stores() {
            List<Op> ops = new ArrayList<>();
            for (int i = random.nextInt(STORES_MAX); i > 0; i--) {
                ops.add(new Op.Store(variable(0, FIRST_STORE + i), i));
            }
            ops.add(pause());
            ops.add(new Op.Store(variable(1, 0), 1));
            ops.add(pause());
            ops.add(new Op.Store(variable(0, 0), 1));
            if (random.nextBoolean()) { // within the node: a flush, and later a diff on its own
                ops.add(new Op.Acquire(LOCK, Op.FOR_EVER));
                ops.add(new Op.Release(LOCK));
            }
            return ops;
        }

        private List<Op> loads() {
            List<Op> ops = new ArrayList<>();
            ops.add(pause());
            ops.add(new Op.Refresh());
            ops.add(pause());
            ops.add(load(0, 0, 0));
            if (refreshes) {
                ops.add(new Op.Refresh());
            }
            ops.add(load(1, 0, 1));
            return ops;
        }

        private Op pause() {
            return new Op.Work(random.nextInt(PAUSE_USUAL_MAX) * delays.usualNanos() + 1);
        }

        private RegionSpec region(int index, ProtocolKind kind) {
            Home home = RandomLayout.home(random, kind.protocol());
            return new RegionSpec(
                    index,
                    index == 0 ? "flag" : "data",
                    kind.protocol(),
                    (long) index * RegionSpec.MACHINE_PAGE_BYTES,
                    RegionSpec.MACHINE_PAGE_BYTES,
                    Long.BYTES,
                    1,
                    home,
                    List.of());
        }

        private static Op load(int region, int word, int register) {
            return new Op.Load(variable(region, word), register);
        }

        private static Variable variable(int region, int word) {
            return new Variable(new PageId(region, 0), word * Long.BYTES, Long.BYTES);
        }
    }
}
