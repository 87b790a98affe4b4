package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.sim.processor.ProcessorTimes;
import io.muninn.sim.processor.ProcessorUse;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What tables and claims of the study of prefetching and multithreading make of made-up runs. */
class MowryTablesTest {
    private static final Sheet SHEET = Sheet.resource("mowry-model.txt");
    private static final PaperValues VALUES = new PaperValues(Sheet.resource("mowry-values.txt"));

    /** All programs run alike: prefetching halves the time and all stalls. */
    private static final PaperResults RESULTS =
            results(
                    Map.of(
                            PaperVersion.ORIGINAL, run(2, 300, 500, 100, 100),
                            PaperVersion.PREFETCH, run(1, 300, 50, 50, 100)));

    private static PaperResults results(Map<PaperVersion, SimulatedTimes> runs) {
        Map<RunKey, SimulatedTimes> all = new TreeMap<>();
        Map<String, Double> seconds = new TreeMap<>();
        List<PaperProgram> programs = PaperProgram.read(SHEET);
        for (PaperProgram program : programs) {
            seconds.put(program.name(), program.sequentialSeconds());
            runs.forEach((version, run) -> all.put(new RunKey(program.name(), version, 8), run));
        }
        return new PaperResults(programs, List.of(8), seconds, new TreeMap<>(all), List.of());
    }

    private static SimulatedTimes run(
            double seconds, long busy, long memory, long barriers, long overhead) {
        ProcessorTimes none = ProcessorTimes.NONE;
        Map<ProcessorUse, Long> nanos = new EnumMap<>(none.nanos());
        nanos.put(ProcessorUse.BUSY, busy);
        nanos.put(ProcessorUse.MEMORY_STALL, memory);
        nanos.put(ProcessorUse.BARRIER_STALL, barriers);
        nanos.put(ProcessorUse.RUNTIME, overhead);
        ProcessorTimes times =
                new ProcessorTimes(
                        nanos, none.stalls(), none.latencyNanos(), none.waitNanos(), 0, 0, 0);
        return new SimulatedTimes(
                seconds,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                SimulatedTimes.Sharing.NONE,
                new SimulatedTimes.Hiding(times, 0, FaultFates.Counts.NONE, 0, 0, 0),
                SimulatedTimes.Clustering.NONE);
    }

    private static Comparison.Row row(Comparison table, String program) {
        return table.rows().stream()
                .filter(each -> each.program().equals(program))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void sharesWithoutOverhead_areOfTheOtherParts() {
        Comparison table = new MowryTables(RESULTS, VALUES).withoutOverhead();

        List<Double> ours =
                row(table, "SOR").cells().stream().map(each -> each.ours().orElseThrow()).toList();
        assertEquals(300.0 / 9, ours.get(0), 0.01);
        assertEquals(500.0 / 9, ours.get(1), 0.01);
        assertEquals(100.0 / 9, ours.get(2), 0.01);
    }

    /** SOR: 4917 misses of 3184 us, 8614 us before each, and 800 barriers of 5 ms. */
    @Test
    void thePapersShares_areOfItsTable2() {
        Comparison table = new MowryTables(RESULTS, VALUES).withoutOverhead();

        List<Double> papers =
                row(table, "SOR").cells().stream().map(each -> each.paper().orElseThrow()).toList();
        double all = 4917.0 * (3184 + 8614) + 800 * 5000;
        assertEquals(100.0 * 4917 * 8614 / all, papers.get(0), 0.01);
        assertEquals(100.0 * 4917 * 3184 / all, papers.get(1), 0.01);
        assertEquals(100.0 * 800 * 5000 / all, papers.get(2), 0.01);
    }

    /** Section 1.1 says so of six of eight programs, and of its Figure 1. */
    @Test
    void thePapersShares_haveSixProgramsStalledForOverHalfOfTheirTime() {
        Comparison papers = new MowryTables(RESULTS, VALUES).withoutOverhead().paper();
        Set<String> busy = new TreeSet<>();
        for (PaperProgram program : RESULTS.programs()) {
            if (papers.ours(program.title(), "busy").orElseThrow() > 50) {
                busy.add(program.title());
            }
        }

        assertEquals(Set.of("SOR", "WATER-SP"), busy);
    }

    /** A claim about the programs counts OCEAN once, though it is run in two layouts. */
    @Test
    void claims_areAboutEightPrograms() {
        MowryTables tables = new MowryTables(RESULTS, VALUES);
        List<Claim> claims = new MowryClaims(RESULTS, tables).all();

        assertEquals(9, RESULTS.programs().size());
        assertTrue(
                claims.contains(
                        new Claim(
                                "3.3: prefetching speeds up, programs",
                                "8",
                                "8 (100.0 to 100.0)",
                                true)),
                claims::toString);
    }

    @Test
    void figures_haveRowsOfBothLayouts() {
        Comparison bars =
                new MowryTables(RESULTS, VALUES)
                        .bars(List.of(PaperVersion.PREFETCH))
                        .get(PaperVersion.PREFETCH.label());

        assertEquals(5, bars.ours("OCEAN rows", "memory stall").orElseThrow());
        assertEquals(5, bars.ours("OCEAN", "memory stall").orElseThrow());
        assertTrue(bars.ours("OCEAN", "nothing").isEmpty());
    }
}
