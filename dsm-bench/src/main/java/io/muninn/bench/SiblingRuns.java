package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures operations between the processes of a node, and the operations with which they are
 * compared.
 */
final class SiblingRuns {
    static final String PREFIX = "sibling-";

    /** A live run: its number of nodes, the processes of each node, and the operations measured. */
    private record Form(int nodes, int processes, List<String> operations) {
        Form {
            operations = operations.stream().map(PREFIX::concat).toList();
        }
    }

    private static final List<Form> FORMS =
            List.of(
                    new Form(1, 2, List.of("first-touch", "fault", "fault-16", "lock-own", "lock")),
                    new Form(2, 2, List.of("lock-notice", "lock-remote")),
                    new Form(2, 2, List.of("release-1", "release-2")),
                    new Form(4, 1, List.of("barrier-4x1")),
                    new Form(1, 4, List.of("barrier-1x4")),
                    new Form(2, 2, List.of("barrier-2x2")));

    private final LiveRuns live;

    SiblingRuns(LiveRuns live) {
        this.live = live;
    }

    List<Measured> run(Placement placement) throws IOException, InterruptedException {
        List<Measured> times = new ArrayList<>();
        for (Form form : FORMS) {
            times.addAll(
                    live.run(
                            placement.prefix(), form.nodes(), form.processes(), form.operations()));
        }
        return times;
    }
}
