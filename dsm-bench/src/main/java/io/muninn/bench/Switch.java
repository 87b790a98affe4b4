package io.muninn.bench;

import java.util.List;

/**
 * An optimisation that can be switched off, and what it should make faster.
 *
 * @param name for readers
 * @param option of {@code dsm run}; its values follow
 * @param groups of live benchmarks in which the operations are
 * @param nodes of the live run
 * @param operations that are shown
 */
record Switch(
        String name,
        String option,
        String off,
        String on,
        List<Group> groups,
        int nodes,
        List<String> operations) {
    /** All there are. */
    static final List<Switch> ALL =
            List.of(
                    new Switch(
                            "vectorised diffs",
                            "--diff-kernel",
                            "portable",
                            "auto",
                            List.of(Group.RELEASES),
                            2,
                            List.of(
                                    "release-16-1",
                                    "release-16-100",
                                    "release-256-1",
                                    "release-256-10",
                                    "release-256-100")));
}
