package io.muninn.bench.live;

import io.muninn.api.DsmNode;
import io.muninn.bench.series.Effort;

/** Some operations that are measured together. */
interface Section {
    /** As the program's option names it. */
    String name();

    /** On how few nodes it can be measured. */
    int nodesMin();

    /** Measures. Called on every node, by its one thread; what the root records counts. */
    void run(DsmNode node, Effort effort, Recorder recorder);
}
