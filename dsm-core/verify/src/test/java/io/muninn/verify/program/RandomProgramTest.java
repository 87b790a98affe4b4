package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.muninn.Seeds;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.spi.Event;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RandomProgramTest {
    private static final int SEEDS = Seeds.some(1_000);
    private static final int MEDIAN_MIN = 200;
    private static final int NODES = 4;
    private static final long HOLD_NANOS = 1_000;

    @Test
    void programsOfManySeeds_areLong() {
        int[] accesses = new int[SEEDS];
        for (int seed = 0; seed < SEEDS; seed++) {
            accesses[seed] = program(seed).sharedOperations();
        }
        Arrays.sort(accesses);

        System.out.printf(
                "shared operations of %d programs: min %d, median %d, max %d%n",
                SEEDS, accesses[0], accesses[SEEDS / 2], accesses[SEEDS - 1]);
        assertTrue(accesses[SEEDS / 2] >= MEDIAN_MIN, "median " + accesses[SEEDS / 2]);
    }

    @Test
    void sameSeed_writesTheSameProgram() {
        assertEquals(program(5), program(5));
        assertNotEquals(program(5).toText(), program(6).toText());
    }

    /**
     * In any order on one memory. Races occur only on words whose values the checkers can
     * distinguish.
     */
    @Test
    void noProgram_canStandStillOrRaceButOnRacyWords() {
        int withRaces = 0;
        for (int seed = 0; seed < SEEDS / 2; seed++) {
            Program program = program(seed);
            Set<Variable> racy = new LinkedHashSet<>();
            for (int order = 0; order < 3; order++) {
                racy.addAll(new SequentialRun(program, order).run());
            }
            withRaces += racy.isEmpty() ? 0 : 1;
            for (Variable variable : racy) {
                assertCanBeToldApart(program, variable, seed);
            }
        }

        assertTrue(withRaces > SEEDS / 20, "programs with races: " + withRaces);
    }

    private static void assertCanBeToldApart(Program program, Variable variable, int seed) {
        Set<Long> values = new TreeSet<>(Set.of(0L));
        int granuleBytes = program.regions().get(variable.page().region()).granuleBytes();
        assertEquals(granuleBytes, variable.bytes(), "seed " + seed + " " + variable);
        for (List<Program.Step> script : program.scripts()) {
            for (Program.Step step : script) {
                if (step.op() instanceof Op.Store(Variable stored, long value)
                        && stored.equals(variable)) {
                    assertTrue(values.add(value), "seed " + seed + " " + step.op() + " again");
                }
            }
        }
    }

    @Test
    void programs_haveEverythingTheyMayHave() {
        Set<String> seen = new TreeSet<>();
        EnumSet<Protocol> together = EnumSet.noneOf(Protocol.class);
        int most = 0;
        for (int seed = 0; seed < SEEDS / 2; seed++) {
            Program program = program(seed);
            EnumSet<Protocol> protocols = EnumSet.noneOf(Protocol.class);
            for (RegionSpec region : program.regions()) {
                protocols.add(region.protocol());
                seen.add("granule " + region.granuleBytes());
                seen.add("unit " + region.unitPages());
            }
            most = Math.max(most, protocols.size());
            together.addAll(protocols);
            seen.add("threads " + program.threads());
            program.scripts().forEach(script -> script.forEach(step -> note(step.op(), seen)));
        }

        assertEquals(Protocol.values().length, most);
        assertEquals(EnumSet.allOf(Protocol.class), together);
        assertEquals(
                new TreeSet<>(
                        Set.of(
                                "granule 1",
                                "granule 2",
                                "granule 4",
                                "granule 8",
                                "unit 1",
                                "unit 2",
                                "threads 1",
                                "threads 2",
                                "threads 3",
                                "threads 4",
                                "width 1",
                                "width 2",
                                "width 4",
                                "width 8",
                                "any node",
                                "named node",
                                "all",
                                "some",
                                "two",
                                "timed",
                                "untimed",
                                "lock0",
                                "lock1",
                                "lock2",
                                "lock3",
                                "zero",
                                "work")),
                seen);
    }

    private static void note(Op op, Set<String> seen) {
        switch (op) {
            case Op.Load(Variable variable, int _) -> seen.add("width " + variable.bytes());
            case Op.Store(Variable _, long value) -> {
                if (value == 0) {
                    seen.add("zero");
                }
            }
            case Op.Acquire(var lock, long timeoutNanos) -> {
                seen.add(lock.toString());
                seen.add(timeoutNanos < 0 ? "untimed" : "timed");
            }
            case Op.Await(var _, int parties, long _, var _) ->
                    seen.add(parties == Event.ALL_PARTIES ? "all" : parties == 2 ? "two" : "some");
            case Op.Receive(int from, int _, long _) ->
                    seen.add(from == Event.ANY_NODE ? "any node" : "named node");
            case Op.Gather _ -> seen.add("gathers");
            case Op.Work _ -> seen.add("work");
            case Op.Interrupt _ -> seen.add("interrupts");
            case Op.AwaitCondition _, Op.Signal _ -> seen.add("conditions");
            case Op.Shipping _ -> seen.add("objects");
            case Op.Permitting _ -> seen.add("reader-writer locks");
            case Op.Remote _ -> seen.add("remote words");
            case Op.Release _, Op.Send _, Op.Refresh _, Op.Prefetch _, Op.Advise _ -> {}
        }
    }

    /** With any units removed: a section, a barrier or a letter is one unit. */
    @Test
    void sections_nestUpwardsAndHoldNoOtherWait() {
        for (int seed = 0; seed < SEEDS / 2; seed++) {
            Program program = program(seed);
            assertSectionsNest(program);
            List<Integer> units = program.units();
            assertSectionsNest(
                    program.keep(
                            new LinkedHashSet<>(units.subList(units.size() / 3, units.size()))));
        }
    }

    private static void assertSectionsNest(Program program) {
        TreeMap<Long, Integer> serials = new TreeMap<>();
        int receipts = 0;
        for (List<Program.Step> script : program.scripts()) {
            ArrayDeque<String> held = new ArrayDeque<>();
            for (Program.Step step : script) {
                switch (step.op()) {
                    case Op.Acquire(var lock, long _) -> {
                        assertTrue(held.isEmpty() || held.peek().compareTo(lock.toString()) < 0);
                        held.push(lock.toString());
                    }
                    case Op.Release(var lock) -> assertEquals(lock.toString(), held.pop());
                    case Op.Await _ -> assertTrue(held.isEmpty(), step.toString());
                    case Op.Send(int _, int _, long serial, int _) -> {
                        assertTrue(held.isEmpty(), step.toString());
                        assertEquals(null, serials.put(serial, step.unit()));
                    }
                    case Op.Receive _ -> {
                        assertTrue(held.isEmpty(), step.toString());
                        receipts++;
                    }
                    case Op.AwaitCondition _,
                            Op.Signal _,
                            Op.Shipping _,
                            Op.Interrupt _,
                            Op.Remote _,
                            Op.Permitting _ ->
                            fail(step.toString());
                    case Op.Refresh _, Op.Prefetch _, Op.Advise _, Op.Gather _ ->
                            fail(step.toString());
                    case Op.Load _, Op.Store _, Op.Work _ -> {}
                }
            }
            assertTrue(held.isEmpty(), "never released: " + held);
        }
        assertEquals(serials.size(), receipts);
    }

    private static Program program(int seed) {
        return RandomProgram.of(
                seed * 0x9E3779B97F4A7C15L,
                new RandomProgram.Shape(List.of(Protocol.values()), NODES, HOLD_NANOS));
    }
}
