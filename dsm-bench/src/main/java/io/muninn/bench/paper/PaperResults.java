package io.muninn.bench.paper;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What came of all runs on one kind of machines.
 *
 * @param programs in the order of the paper
 * @param nodes in ascending order
 * @param sequentialSeconds of each program by name, on these machines
 * @param runs that ended well
 * @param failures of those that did not, in order of run
 */
record PaperResults(
        List<PaperProgram> programs,
        List<Integer> nodes,
        Map<String, Double> sequentialSeconds,
        SortedMap<RunKey, SimulatedTimes> runs,
        List<String> failures) {
    PaperResults {
        programs = List.copyOf(programs);
        nodes = nodes.stream().sorted().distinct().toList();
        sequentialSeconds = Collections.unmodifiableMap(new TreeMap<>(sequentialSeconds));
        runs = Collections.unmodifiableSortedMap(new TreeMap<>(runs));
        failures = List.copyOf(failures);
    }

    Optional<SimulatedTimes> at(String program, PaperVersion version, int count) {
        return Optional.ofNullable(runs.get(new RunKey(program, version, count)));
    }

    /** Against the sequential version; empty if there is no such run. */
    OptionalDouble speedup(String program, PaperVersion version, int count) {
        Optional<SimulatedTimes> measured = at(program, version, count);
        return measured.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        Known.of(sequentialSeconds, program) / measured.get().seconds());
    }

    /** The most nodes that programs ran on: what tables are about. */
    int most() {
        return nodes.getLast();
    }
}
