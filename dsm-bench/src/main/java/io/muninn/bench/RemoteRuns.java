package io.muninn.bench;

import io.muninn.bench.series.Measured;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures operations on remote words: of nodes of one agent, and of two. Two nodes that add at the
 * same time need two processors.
 */
final class RemoteRuns {
    static final String PREFIX = "remote-";

    private static final int NODES = 2;

    /** The agents of a live run, and the operations measured. */
    private record Form(String agents, List<String> operations) {
        Form {
            operations = operations.stream().map(PREFIX::concat).toList();
        }
    }

    private static final Form ON_ONE_PROCESSOR = new Form("host", List.of("add-own"));
    private static final Form OF_ONE_AGENT = new Form("host", List.of("add-own", "add-2"));
    private static final Form OF_TWO =
            new Form("node", List.of("get", "fault", "add", "aggregated"));

    private final LiveRuns live;

    RemoteRuns(LiveRuns live) {
        this.live = live;
    }

    List<Measured> run(Placement placement) throws IOException, InterruptedException {
        boolean isOne = placement.isPinned() || Runtime.getRuntime().availableProcessors() == 1;
        List<Measured> times = new ArrayList<>();
        for (Form form : List.of(isOne ? ON_ONE_PROCESSOR : OF_ONE_AGENT, OF_TWO)) {
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
