package io.muninn.bench.live;

import io.muninn.api.DsmNode;
import io.muninn.bench.series.Effort;

/** A group of operations that are measured together. */
interface Section {
    /** The section's name in option {@code --sections}. */
    String name();

    /** Least number of nodes on which the section can be measured. */
    int nodesMin();

    /** Measures. Called by the single thread of every node; only the root's records are used. */
    void run(DsmNode node, Effort effort, Recorder recorder);
}
