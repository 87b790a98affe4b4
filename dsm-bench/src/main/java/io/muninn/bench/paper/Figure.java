package io.muninn.bench.paper;

import java.io.IOException;
import java.nio.file.Path;

/** A figure that is drawn from the runs on one kind of machines. */
interface Figure {
    /** As the paper numbers it. */
    int number();

    /** What it shows, for readers. */
    String title();

    /** Without a suffix. */
    default String fileName() {
        return "figure-" + number();
    }

    /**
     * Writes an SVG with that name.
     *
     * @return false, without a file, if nothing of what it shows was run
     */
    boolean write(PaperResults results, Path folder) throws IOException;
}
