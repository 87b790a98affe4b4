package io.muninn.bench.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A program of ours at the size that a row of the paper's tables is about.
 *
 * @param name in resources, options and tables
 * @param row of the paper's tables; empty if these are about another size of the program
 * @param title for readers
 * @param program the built-in program
 * @param options that make the paper's size
 * @param quickOptions that make a size for tests
 * @param sequentialSeconds the sequential version's time on the paper's machines
 * @param source where in the paper that is from
 * @param loops of its versions of parallel loops; empty if the sheet does not say
 */
record PaperProgram(
        String name,
        String row,
        String title,
        String program,
        List<String> options,
        List<String> quickOptions,
        double sequentialSeconds,
        String source,
        Optional<Loops> loops) {
    /**
     * The parallel loops that a program starts.
     *
     * @param initial those that initialize, and those of the steps of which nothing is counted
     * @param perStep those after which the same nodes read the same pages again
     * @param stepsMore steps of which nothing is counted, beside those that other versions run
     */
    record Loops(int initial, int perStep, int stepsMore) {
        /** The number of the loop with which counting begins, from 1. */
        int first() {
            return initial + 1;
        }

        /** Those options with as many steps more. */
        List<String> options(List<String> words) {
            List<String> more = new ArrayList<>(words);
            int steps = more.indexOf("--steps") + 1;
            if (steps > 0) {
                more.set(steps, String.valueOf(Integer.parseInt(more.get(steps)) + stepsMore));
            }
            return more;
        }
    }

    private static final String SECTION = "programs";
    private static final int CELLS = 8;
    private static final String LOOPS = "loops";
    private static final int LOOPS_CELLS = 5;

    PaperProgram {
        options = List.copyOf(options);
        quickOptions = List.copyOf(quickOptions);
    }

    /** Whether the paper's tables have a row of it. */
    boolean isInTables() {
        return !row.isEmpty();
    }

    /** All that a sheet lists, in its order. */
    static List<PaperProgram> read(Sheet sheet) {
        Map<String, Loops> loops = new TreeMap<>();
        if (sheet.sections().containsKey(LOOPS)) {
            for (Sheet.Row row : sheet.rows(LOOPS, LOOPS_CELLS)) {
                loops.put(
                        row.text(0),
                        new Loops((int) row.number(1), (int) row.number(2), (int) row.number(3)));
            }
        }
        return sheet.rows(SECTION, CELLS).stream()
                .map(row ->
                        new PaperProgram(
                                row.text(0),
                                row.text(1),
                                row.text(2),
                                row.text(3),
                                row.words(4),
                                row.words(5),
                                row.number(6),
                                row.text(7),
                                Optional.ofNullable(loops.get(row.text(3)))))
                .toList();
    }
}
