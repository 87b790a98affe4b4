package io.muninn.verify.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.verify.program.SeededRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every seed of the list hits its cells. To find other seeds when programs have changed, run the
 * main method with the first seed and the last, then trials (indices among the trials of a seed,
 * separated by commas) and cells.
 */
class RareCellsTest {
    @Test
    void everyCellOfTheList_isHandledByATable() {
        List<String> handled = new Coverage().neverHit();

        assertFalse(RareCells.lines().isEmpty());
        for (RareCells.Line line : RareCells.lines()) {
            assertTrue(handled.stream().anyMatch(cell -> isOf(cell, line.cell())), line::toString);
        }
    }

    @Tag("slow")
    @Test
    void everySeedOfTheList_meetsItsCells() {
        Map<Long, Coverage> met = new TreeMap<>();
        for (long seed : RareCells.seeds()) {
            Coverage coverage = new Coverage();
            SeededRun.all(seed, SeededRun.Options.ALL)
                    .forEach(trial -> trial.run(Checkers.all(coverage)));
            met.put(seed, coverage);
        }

        List<RareCells.Line> missing = new ArrayList<>(RareCells.lines());
        missing.removeIf(line -> meets(met.get(line.seed()), line.cell()));

        assertEquals(List.of(), missing);
    }

    private static boolean meets(Coverage coverage, String cell) {
        return coverage.neverHit().stream().noneMatch(each -> isOf(each, cell));
    }

    /**
     * @param described a cell in the format of coverage, with its action
     */
    private static boolean isOf(String described, String cell) {
        return described.startsWith(cell + ":");
    }

    public static void main(String[] args) {
        List<Integer> trials = List.of(args[2].split(",")).stream().map(Integer::valueOf).toList();
        List<String> cells = List.of(args).subList(3, args.length);
        LongStream.rangeClosed(Long.parseLong(args[0]), Long.parseLong(args[1]))
                .forEach(seed -> {
                    List<SeededRun> all = SeededRun.all(seed, SeededRun.Options.ALL);
                    for (int trial : trials) {
                        Coverage coverage = new Coverage();
                        all.get(trial).run(Checkers.all(coverage));
                        cells.stream()
                                .filter(cell -> meets(coverage, cell))
                                .forEach(cell -> System.out.println(seed + " " + cell));
                    }
                });
    }
}
