package io.muninn.bench.paper;

import io.muninn.model.BarrierId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.sim.Simulation;
import io.muninn.sim.Traffic.Sent;
import io.muninn.sim.app.AppResult;
import io.muninn.spi.NodeCounter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Notes what all nodes have sent whenever a barrier falls. */
final class SweepSums implements Observer {
    /** What has been sent until a barrier fell. */
    private record Moment(long nanos, Map<String, Sent> byKind) {}

    /** The falls of a barrier. */
    private static final class Falls {
        final List<Moment> moments = new ArrayList<>();
        int departed; // threads, since the last fall
    }

    private final Map<BarrierId, Falls> barriers = new LinkedHashMap<>();

    @Override
    public void onDepart(SimThread thread, BarrierId barrier) {
        Simulation simulation = thread.node().simulation();
        Falls falls = barriers.computeIfAbsent(barrier, _ -> new Falls());
        if (falls.departed == 0) {
            falls.moments.add(new Moment(simulation.nowNanos(), sent(simulation)));
        }
        falls.departed = (falls.departed + 1) % simulation.allThreads();
    }

    private static Map<String, Sent> sent(Simulation simulation) {
        Map<String, Sent> sent = new TreeMap<>();
        for (SimNode node : simulation.nodes()) {
            node.traffic().byKind().forEach((kind, each) -> sent.merge(kind, each, Sent::plus));
        }
        return sent;
    }

    /**
     * The cost of the last sweep, from one fall to another of the barrier that falls most often.
     *
     * @param sweeps of the run; the barrier may fall several times in each
     */
    ScalingCost cost(int sweeps, AppResult result) {
        List<Moment> moments =
                barriers.values().stream()
                        .map(falls -> falls.moments)
                        .max(Comparator.comparingInt(List::size))
                        .orElseThrow();
        int last = moments.size() - 1;
        Moment from = moments.get(last - moments.size() / sweeps);
        Moment until = moments.get(last);
        Map<String, Sent> byKind = new TreeMap<>();
        until.byKind()
                .forEach((kind, sent) -> {
                    Sent before = from.byKind().get(kind);
                    Sent more = before == null ? sent : sent.minus(before);
                    if (more.messages() > 0) {
                        byKind.put(kind, more);
                    }
                });
        long kept =
                result.nodes().stream()
                        .mapToLong(node -> node.value(NodeCounter.LAZY_BYTES_MOST))
                        .max()
                        .orElse(0);
        return new ScalingCost(result.nodes().size(), byKind, until.nanos() - from.nanos(), kept);
    }
}
