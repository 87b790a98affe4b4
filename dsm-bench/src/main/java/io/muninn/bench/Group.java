package io.muninn.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Benchmarks that are chosen together, in the order in which they run. */
enum Group {
    /** Loads and stores through views, segments and arrays. */
    ACCESS,
    /** Plain nests of loops over views and over arrays, as programs have them. */
    SHAPES,
    /** Loads and stores that wait for a page or for its twin. */
    FAULTS(2, 4),
    /** Releases that send modified data. */
    RELEASES(2),
    LOCKS(2, 4),
    /** Acquires that make copies stale. */
    ACQUIRES(2),
    /** Prefetches, and loads from the prefetched pages. */
    PREFETCHES(2),
    BARRIERS(2, 4, 8),
    /** Nodes of several processes, in {@linkplain SiblingRuns runs of their own}. */
    PROCESSES,
    /** Remote words, in {@linkplain RemoteRuns runs of their own}. */
    REMOTES,
    /** Faults of weak pages over a pool, in {@linkplain PoolRuns runs of their own}. */
    POOL,
    /** Function shipping against data shipping. */
    SHIPPING(1, 2, 4, 8),
    /** Time until all nodes of a run have joined. */
    STARTS,
    /** Whole programs against message passing. */
    APPS,
    /** What checksums and TLS cost, in {@linkplain LinkRuns runs of their own}. */
    LINKS,
    /** Operations with each optimisation off and on. */
    SWITCHES;

    private final List<Integer> nodes;

    Group(Integer... nodes) {
        this.nodes = List.of(nodes);
    }

    /** Whether a live run of {@code count} nodes measures this group. */
    boolean isOn(int count) {
        return nodes.contains(count);
    }

    /** The group's name in {@code --only}, which is also the name of the live program's section. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The choices of {@code --only}, in the order in which they run. */
    static List<String> words() {
        return Arrays.stream(values()).map(Group::word).toList();
    }

    @Override
    public String toString() {
        return word();
    }
}
