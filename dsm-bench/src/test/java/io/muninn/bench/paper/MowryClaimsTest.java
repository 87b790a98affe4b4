package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The claims of the README of Mowry's results agree with the committed tables. */
class MowryClaimsTest {
    private static final PublishedTables TABLES =
            new PublishedTables(Path.of("../docs/results/mowry"));
    private static final int PROGRAMS = 8;

    /** A row beside those of the programs. */
    private static final String OTHER_LAYOUT = "OCEAN rows";

    private static final double NEAR = 1.5;
    private static final double HALF = 50; // per cent

    private static SortedMap<String, Double> ours(String file, String title, String version)
            throws IOException {
        SortedMap<String, Double> column = TABLES.ours(file, title, version);
        column.remove(OTHER_LAYOUT);
        assertEquals(PROGRAMS, column.size(), title);
        return column;
    }

    /** The programs whose ratio to the paper is not near 1. */
    private static Set<String> far(String title) throws IOException {
        SortedMap<String, Double> ratios =
                TABLES.column("table-2.csv", title, "O", PublishedTables.RATIO);
        ratios.remove(OTHER_LAYOUT);
        ratios.values().removeIf(ratio -> ratio <= NEAR && ratio >= 1 / NEAR);
        return ratios.keySet();
    }

    @Test
    void originalColumns_areNearThePapersButForTheNamedPrograms() throws IOException {
        assertEquals(Set.of("RADIX"), far("Messages"));
        assertEquals(Set.of("OCEAN", "RADIX"), far("Volume, in kilobytes"));
        assertEquals(Set.of("OCEAN"), far("Remote misses"));
    }

    /** Section 1.1: six of eight programs spend over half of their time stalled. */
    @Test
    void sixPrograms_stallForOverHalfOfTheirTime() throws IOException {
        String title = "Time of the processors, in per cent of that of O, O";
        SortedMap<String, Double> memory = ours("figure-1.csv", title, "memory stall");
        SortedMap<String, Double> others = ours("figure-1.csv", title, "synchronization stall");

        Set<String> little = new TreeSet<>(memory.keySet());
        little.removeIf(program -> memory.get(program) + others.get(program) > HALF);
        assertEquals(Set.of("SOR", "WATER-SP"), little);
    }

    /** Section 3.3 has it for all programs; the README names those of which it is not so. */
    @Test
    void hit_isTheLargestCaseButForTheNamedPrograms() throws IOException {
        String title = "Misses of O, in per cent";
        SortedMap<String, Double> hits = ours("figure-3.csv", title, "hit");
        Set<String> missing = new TreeSet<>();
        for (String fate : List.of("not prefetched", "too late", "invalidated")) {
            ours("figure-3.csv", title, fate)
                    .forEach((program, part) -> {
                        if (part > hits.get(program)) {
                            missing.add(program);
                        }
                    });
        }

        assertEquals(Set.of("FFT", "OCEAN", "RADIX"), missing);
    }

    @Test
    void prefetching_speedsUpAllButOne() throws IOException {
        String title = "Speedup by prefetching, in per cent";
        SortedMap<String, Double> slower = ours("figure-2.csv", title, "P");
        slower.values().removeIf(gain -> gain > 0);

        assertEquals(Set.of("WATER-NSQ"), slower.keySet());
    }

    /** Section 3.3: 45 to 92 per cent for all programs. */
    @Test
    void prefetching_removesThatPartOfTheMemoryStallButForTheNamedPrograms() throws IOException {
        String title = "Memory stall that prefetching removes, in per cent";
        SortedMap<String, Double> others = ours("figure-2.csv", title, "P");
        others.values().removeIf(removed -> removed >= 45 && removed <= 92);

        assertEquals(Set.of("LU-NCONT", "OCEAN", "SOR"), others.keySet());
    }

    /** Section 4.3: 6 per cent or more in six of eight programs. */
    @Test
    void threads_gainInAllButTheNamedPrograms() throws IOException {
        String title = "Speedup by threads, in per cent";
        SortedMap<String, Double> best = new TreeMap<>();
        for (String version : List.of("2T", "4T", "8T")) {
            ours("figure-4.csv", title, version)
                    .forEach((program, gain) -> best.merge(program, gain, Math::max));
        }

        assertTrue(Collections.max(best.values()) > HALF, best::toString);
        best.values().removeIf(gain -> gain >= 6);
        assertEquals(Set.of("FFT", "RADIX", "SOR"), best.keySet());
    }

    @Test
    void everyMarkedRatio_isExplainedInTheReadme() throws IOException {
        assertEquals("", TABLES.unexplained(new Mowry().explainedBeyond()));
    }
}
