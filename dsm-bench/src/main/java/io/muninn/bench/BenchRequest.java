package io.muninn.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A request for measurements.
 *
 * @param quick few samples and small sizes: a test of the benchmarks, without meaningful results
 * @param groups at least one, in the order in which they run
 * @param engine engine of live runs, as for {@code dsm run --engine}
 * @param folder existing folder for the page and its plots, which are rewritten after each part
 * @param documents destination of page and plots when everything was measured; empty for none
 * @param json file for all rows; empty for none
 */
record BenchRequest(
        boolean quick,
        List<Group> groups,
        String engine,
        Path folder,
        Optional<Path> documents,
        Optional<Path> json) {
    BenchRequest {
        groups = List.copyOf(groups);
    }
}
