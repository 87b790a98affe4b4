package io.muninn.bench.paper;

import java.util.Comparator;

/** Which run: a program's name, its version and the nodes. */
record RunKey(String program, PaperVersion version, int nodes) implements Comparable<RunKey> {
    private static final Comparator<RunKey> ORDER =
            Comparator.comparing(RunKey::program)
                    .thenComparing(RunKey::version)
                    .thenComparingInt(RunKey::nodes);

    @Override
    public int compareTo(RunKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return program + " " + version.word() + " on " + nodes + (nodes == 1 ? " node" : " nodes");
    }
}
