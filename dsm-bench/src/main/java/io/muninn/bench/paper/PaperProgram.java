package io.muninn.bench.paper;

import java.util.List;

/**
 * A program of ours at the size that a row of the paper's tables is about.
 *
 * @param name in resources, options and tables
 * @param row of the paper's tables
 * @param title for readers
 * @param program the built-in program
 * @param options that make the paper's size
 * @param quickOptions that make a size for tests
 * @param sequentialSeconds the sequential version's time on the paper's machines
 * @param source where in the paper that is from
 */
record PaperProgram(
        String name,
        String row,
        String title,
        String program,
        List<String> options,
        List<String> quickOptions,
        double sequentialSeconds,
        String source) {
    private static final String SECTION = "programs";
    private static final int CELLS = 8;

    PaperProgram {
        options = List.copyOf(options);
        quickOptions = List.copyOf(quickOptions);
    }

    /** All that a sheet lists, in its order. */
    static List<PaperProgram> read(Sheet sheet) {
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
                                row.text(7)))
                .toList();
    }
}
