package io.muninn.bench.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/** The claims of the README of CVM's results agree with the committed tables. */
class CvmClaimsTest {
    private static final PublishedTables TABLES =
            new PublishedTables(Path.of("../docs/results/cvm"));
    private static final int PROGRAMS = 9;
    private static final int MOST = 7; // of them

    /** By how much speedups may differ. */
    private static final double COMPARABLE = 1.1;

    @Test
    void flush_removesMostMissesFromTheThirdStepOn() throws IOException {
        String title = "Misses from the third time step on";
        SortedMap<String, Double> without = TABLES.ours("table-2.csv", title, "without flush");
        SortedMap<String, Double> with = TABLES.ours("table-2.csv", title, "with flush");

        assertEquals(PROGRAMS, without.size());
        long removed =
                without.keySet().stream()
                        .filter(each -> with.get(each) <= 0.1 * without.get(each))
                        .count();
        assertTrue(removed >= MOST, without + " " + with);
    }

    @Test
    void flush_addsNoMessages() throws IOException {
        SortedMap<String, Double> without = TABLES.ours("table-2.csv", "Messages", "without flush");
        SortedMap<String, Double> with = TABLES.ours("table-2.csv", "Messages", "with flush");

        without.forEach((program, messages) -> assertTrue(with.get(program) <= messages, program));
    }

    @Test
    void reductions_needNoLocks() throws IOException {
        SortedMap<String, Double> with =
                TABLES.ours("table-3.csv", "Messages of locks", "without flush");

        assertTrue(with.values().stream().allMatch(each -> each == 0), with::toString);
    }

    @Test
    void messages_areFewerThanThePapers() throws IOException {
        SortedMap<String, Double> ours = TABLES.ours("table-4.csv", "Messages", "with flush");
        SortedMap<String, Double> papers =
                TABLES.column("table-4.csv", "Messages", "with flush", PublishedTables.PAPER);

        long fewer =
                ours.keySet().stream().filter(each -> ours.get(each) <= papers.get(each)).count();
        assertTrue(fewer >= MOST, ours + " " + papers);
    }

    @Test
    void automaticPushes_areAsGoodAsAdvice() throws IOException {
        SortedMap<String, Double> beyond =
                TABLES.ours(
                        "advice.csv",
                        "Time beyond that of the better of both advices, in per cent",
                        "with flush");

        assertEquals(PROGRAMS, beyond.size());
        assertTrue(beyond.values().stream().allMatch(each -> each <= 5), beyond::toString);
    }

    /** Section 4.4 is about the dense programs that the paper has with MPI. */
    @Test
    void messagePassing_isComparable() throws IOException {
        SortedMap<String, Double> messages =
                TABLES.ours("figure-1.csv", "Speedups", "message passing");
        SortedMap<String, Double> shared = TABLES.ours("figure-1.csv", "Speedups", "with flush");

        for (String program : List.of("ADI", "DOT", "EXPL", "JACOBI", "RB")) {
            double ratio = shared.get(program) / messages.get(program);
            assertTrue(ratio < COMPARABLE && ratio > 1 / COMPARABLE, program + " " + ratio);
        }
    }

    @Test
    void everyMarkedRatio_isExplainedInTheReadme() throws IOException {
        assertEquals("", TABLES.unexplained(new Cvm().explainedBeyond()));
    }
}
