package io.muninn.bench.paper;

import java.util.List;

/**
 * A request for the runs of a paper.
 *
 * @param programs names of the paper's programs; empty for all that are installed
 * @param nodes counts; empty for those of the paper
 * @param models names of machines; empty for all
 * @param isQuick true for the problem sizes of tests
 * @param jobs number of concurrent runs
 */
record PaperRequest(
        List<String> programs,
        List<Integer> nodes,
        List<String> models,
        boolean isQuick,
        int jobs) {
    PaperRequest {
        programs = List.copyOf(programs);
        nodes = List.copyOf(nodes);
        models = List.copyOf(models);
    }
}
