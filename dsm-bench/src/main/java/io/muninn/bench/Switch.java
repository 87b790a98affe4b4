package io.muninn.bench;

import java.util.List;

/**
 * An optimisation that can be switched off, and the operations and programs that it should speed
 * up.
 *
 * @param name for readers
 * @param option option of {@code dsm run}; a system property ends in {@code =}
 * @param off its value without the optimisation
 * @param on its value with it
 * @param group live benchmarks that contain the operations, on two or four nodes
 * @param operations operations to compare; empty if the comparison is meaningless on one processor
 * @param apps programs to compare
 */
record Switch(
        String name,
        String option,
        String off,
        String on,
        Group group,
        List<String> operations,
        List<String> apps) {
    private static Switch ofOneAgent(Group group, List<String> operations, List<String> apps) {
        String name = "one agent for the nodes of a host";
        return new Switch(name, "--agents", "node", "host", group, operations, apps);
    }

    private static final String OF_FOUR_NODES = "-4";

    /** Number of nodes of the runs that measure the operations. */
    int nodes() {
        return operations.stream().anyMatch(each -> each.endsWith(OF_FOUR_NODES)) ? 4 : 2;
    }

    /** The option with a value, as words of a command line. */
    List<String> words(String value) {
        return option.endsWith("=") ? List.of(option + value) : List.of(option, value);
    }

    private static final List<String> FAULTS =
            List.of(
                    "fault-write-local",
                    "fault-read-remote",
                    "fault-write-1-copy",
                    "fault-migratory");

    /** All switches. */
    static final List<Switch> ALL =
            List.of(
                    ofOneAgent(
                            Group.FAULTS,
                            List.of("fault-read-remote", "fault-migratory"),
                            List.of(AppRuns.DIFF_TABLE)),
                    ofOneAgent(Group.LOCKS, List.of("lock-passed"), List.of()),
                    ofOneAgent(Group.BARRIERS, List.of("barrier-4"), List.of()),
                    new Switch(
                            "traps without a switch of context",
                            "--engine",
                            "uffd+event",
                            "uffd+signal",
                            Group.FAULTS,
                            FAULTS,
                            List.of(AppRuns.DIFF_TABLE)),
                    new Switch(
                            "access by userfaultfd, not by mprotect",
                            "--engine",
                            "mprotect+signal",
                            "uffd+signal",
                            Group.FAULTS,
                            FAULTS,
                            List.of()),
                    new Switch(
                            "twins that stay",
                            "--adaptive-twins",
                            "off",
                            "on",
                            Group.RELEASES,
                            List.of(
                                    "interval-1-1",
                                    "interval-16-1",
                                    "interval-256-1",
                                    "interval-256-100",
                                    "release-256-1"),
                            List.of(AppRuns.DIFF_TABLE)),
                    new Switch(
                            "access that is left for a window",
                            "--steady-access",
                            "off",
                            "on",
                            Group.RELEASES,
                            List.of("release-16-1", "release-256-1"),
                            List.of(AppRuns.DIFF_TABLE)),
                    new Switch(
                            "short calls through shared memory",
                            "-Dmuninn.mailboxes=",
                            "off",
                            "on",
                            Group.BARRIERS,
                            List.of("barrier-2"),
                            List.of(AppRuns.DIFF_TABLE)),
                    new Switch(
                            "short calls through shared memory",
                            "-Dmuninn.mailboxes=",
                            "off",
                            "on",
                            Group.LOCKS,
                            List.of("lock-passed"),
                            List.of()),
                    new Switch(
                            "vectorised diffs",
                            "--diff-kernel",
                            "portable",
                            "auto",
                            Group.RELEASES,
                            List.of(
                                    "release-16-1",
                                    "release-16-100",
                                    "release-256-1",
                                    "release-256-10",
                                    "release-256-100"),
                            List.of()),
                    new Switch(
                            "reading ahead",
                            "--read-ahead",
                            "off",
                            "auto",
                            Group.FAULTS,
                            List.of("fault-scan-remote", "fault-read-remote"),
                            List.of(AppRuns.MULT_TABLE, AppRuns.MULT, AppRuns.DIFF)),
                    new Switch(
                            "JVMs that start from caches",
                            "-Dmuninn.start-caches=",
                            "off",
                            "on",
                            Group.STARTS,
                            List.of(StartRuns.STARTED),
                            List.of()),
                    new Switch(
                            "flags of a small agent",
                            "-Dmuninn.agent-tuning=",
                            "off",
                            "on",
                            Group.STARTS,
                            List.of(StartRuns.STARTED),
                            List.of(AppRuns.MULT)),
                    new Switch(
                            "waits that look before they sleep",
                            "--idle",
                            "block",
                            "spin",
                            Group.LOCKS,
                            List.of(),
                            List.of(AppRuns.DIFF_TABLE)));
}
