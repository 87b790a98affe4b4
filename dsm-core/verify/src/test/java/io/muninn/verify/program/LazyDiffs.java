package io.muninn.verify.program;

import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import io.muninn.verify.check.Checker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A collection frees every diff that was made before the node said what it has, and only once. */
final class LazyDiffs implements Checker {
    /** States of a node in the order in which a collection passes through them. */
    private static final List<String> STATES =
            List.of("Idle", "Asked", "Releasing", "Gathered", "Validating", "Validated");

    private static final int GATHERED = STATES.indexOf("Gathered");

    private record Diff(PageId page, long interval) {}

    private static final class Node {
        final Set<Diff> saved = new HashSet<>();
        Set<Diff> promised = Set.of(); // those that the collection under way has to free
        int state;
    }

    private final Map<SimNode, Node> nodes = new HashMap<>();
    private long collections;
    private long most;

    @Override
    public String name() {
        return "lazy diffs";
    }

    /** Number of collections of a run that has ended. */
    long collections() {
        return collections;
    }

    /** Most bytes that a node of a run that has ended kept at a time. */
    long most() {
        return most;
    }

    private Node of(SimNode node) {
        return nodes.computeIfAbsent(node, _ -> new Node());
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        Set<Diff> saved = of(node).saved;
        if (event instanceof Event.DiffSaved diff && diff.granules() > 0) {
            saved.add(new Diff(diff.page(), diff.interval()));
        }
        for (Effect effect : effects) {
            if (effect instanceof Effect.DropDiff(PageId page, long interval)
                    && !saved.remove(new Diff(page, interval))) {
                throw violation("node " + node.id() + " drops no diff: " + effect);
            }
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        Node of = of(node);
        int before = of.state;
        of.state = STATES.indexOf(node.collectionState());
        boolean isOver = of.state < before;
        if (isOver && of.promised.stream().anyMatch(of.saved::contains)) {
            of.promised.retainAll(of.saved);
            throw violation("node " + node.id() + " keeps after a collection " + of.promised);
        }
        if (of.state >= GATHERED && (isOver || before < GATHERED)) {
            of.promised = new HashSet<>(of.saved);
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        for (SimNode node : simulation.nodes()) {
            if (node.pages().diffsLeft() != of(node).saved.size()) {
                throw violation(
                        "node "
                                + node.id()
                                + " ends with "
                                + node.pages().diffsLeft()
                                + " diffs, not "
                                + of(node).saved);
            }
            most = Math.max(most, node.count(NodeCounter.LAZY_BYTES_MOST));
        }
        collections = simulation.nodes().getFirst().count(NodeCounter.COLLECTIONS);
    }
}
