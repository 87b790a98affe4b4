package io.muninn.bench.paper;

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
     * @param initial those before its first time step
     * @param perStep those of a time step: after it, the same nodes read the same pages again
     */
    record Loops(int initial, int perStep) {
        /** The first loop of a time step, the loops counted from 1. */
        int first(int step) {
            return initial + (step - 1) * perStep + 1;
        }
    }

    private static final String SECTION = "programs";
    private static final int CELLS = 8;
    private static final String LOOPS = "loops";
    private static final int LOOPS_CELLS = 4;

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
                loops.put(row.text(0), new Loops((int) row.number(1), (int) row.number(2)));
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
