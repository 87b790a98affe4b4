package io.muninn.verify.check;

import io.muninn.model.NodeId;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimWaits;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.waits.NodeWaits;
import io.muninn.waits.WaitGraph;
import io.muninn.wire.WireMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * No thread of a program that ends is taken for one that waits for ever. As the root does, it asks
 * every node for its waits twice, each at another moment, and searches the answers with {@link
 * WaitGraph}; now and then it asks all nodes at one moment. All programs of the simulator end, so
 * whatever it finds is a mistake.
 */
final class Deadlocks implements Checker {
    static final String NAME = "deadlocks";

    /** Steps between two moments at which all nodes are asked, for each 64 nodes of the cluster. */
    private static final int MOMENT_STEPS = 4;

    private List<SimNode> nodes = List.of();
    private List<SimWaits> waits = List.of(); // by node
    private @Nullable NodeWaits[] present = {}; // by node; null from a step of it to its answer
    private final List<NodeWaits> first = new ArrayList<>();
    private final List<NodeWaits> second = new ArrayList<>();
    private long[] sent = {}; // by node
    private long[] received = {};
    private int steps;
    private int momentSteps = MOMENT_STEPS;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        nodes = simulation.nodes();
        waits = nodes.stream().map(SimWaits::new).toList();
        present = new NodeWaits[nodes.size()];
        sent = new long[nodes.size()];
        received = new long[nodes.size()];
        momentSteps = MOMENT_STEPS * Math.ceilDiv(nodes.size(), NodeId.LIVE_MAX);
    }

    @Override
    public void onMessage(SimNode from, NodeId to, WireMessage message, int bytes) {
        sent[from.id().index()]++;
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        present[node.id().index()] = null;
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        present[node.id().index()] = null;
        boolean isFromAnother =
                event instanceof Event.MessageArrived(NodeId from, _, _) && !from.equals(node.id());
        if (isFromAnother) {
            received[node.id().index()]++;
        }
        steps++;
        ask();
        if (steps % momentSteps == 0) {
            List<NodeWaits> all = nodes.stream().map(this::answer).toList();
            check(all, all);
        }
    }

    /** Between two steps of a node, no wait of it begins or ends, and who waits keeps its locks. */
    private NodeWaits answer(SimNode node) {
        int index = node.id().index();
        NodeWaits answer = present[index];
        if (answer == null
                || answer.sent() != sent[index]
                || answer.received() != received[index]) {
            answer = waits.get(index).now(sent[index], received[index]);
            present[index] = answer;
        }
        return answer;
    }

    private void ask() {
        List<NodeWaits> answers = first.size() < nodes.size() ? first : second;
        answers.add(answer(nodes.get(answers.size())));
        if (second.size() == nodes.size()) {
            check(first, second);
            first.clear();
            second.clear();
        }
    }

    private void check(List<NodeWaits> before, List<NodeWaits> after) {
        if (nodes.stream().noneMatch(SimNode::isDead)) {
            WaitGraph.Stuck stuck = WaitGraph.find(before, after);
            if (!stuck.isEmpty()) {
                throw violation("a false alarm: " + stuck.text());
            }
        }
    }
}
