package io.muninn.bench.paper;

import java.util.List;

/**
 * A figure of speedups of one program, by processors.
 *
 * @param number as the paper numbers it
 * @param title with the program's name
 * @param program whose speedups, by name
 * @param versions one line each
 */
record SpeedupFigure(int number, String title, String program, List<PaperVersion> versions) {
    SpeedupFigure {
        versions = List.copyOf(versions);
    }

    /** Without a suffix. */
    String fileName() {
        return "figure-" + number;
    }

    boolean shows(String name, PaperVersion version) {
        return program.equals(name) && versions.contains(version);
    }
}
