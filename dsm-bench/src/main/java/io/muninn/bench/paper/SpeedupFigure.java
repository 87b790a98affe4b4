package io.muninn.bench.paper;

import java.util.List;

/**
 * A figure of speedups of one program, by processors.
 *
 * @param number as the paper numbers it
 * @param title with the program's name
 * @param program whose speedups, by name
 * @param versions one line each
 * @param fileName without a suffix
 */
record SpeedupFigure(
        int number, String title, String program, List<PaperVersion> versions, String fileName) {
    SpeedupFigure {
        versions = List.copyOf(versions);
    }

    /** Alone under its number. */
    SpeedupFigure(int number, String title, String program, List<PaperVersion> versions) {
        this(number, title, program, versions, "figure-" + number);
    }

    boolean shows(String name, PaperVersion version) {
        return program.equals(name) && versions.contains(version);
    }
}
