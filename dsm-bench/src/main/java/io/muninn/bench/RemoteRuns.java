package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures operations on remote words: of nodes of one agent, and of two. */
final class RemoteRuns {
    static final String PREFIX = "remote-";

    private static final int NODES = 2;

    /** The agents of a live run, and the operations measured. */
    private record Form(String agents, List<String> operations) {
        Form {
            operations = operations.stream().map(PREFIX::concat).toList();
        }
    }

    private static final List<Form> FORMS =
            List.of(
                    new Form("host", List.of("add-own", "add-2")),
                    new Form("node", List.of("get", "fault", "add", "aggregated")));

    private final LiveRuns live;

    RemoteRuns(LiveRuns live) {
        this.live = live;
    }

    List<Measured> run(Placement placement) throws IOException, InterruptedException {
        List<Measured> times = new ArrayList<>();
        for (Form form : FORMS) {
            times.addAll(
                    live.run(
                            placement.prefix(),
                            NODES,
                            Group.REMOTES,
                            form.operations(),
                            List.of("--agents", form.agents())));
        }
        return times;
    }
}
