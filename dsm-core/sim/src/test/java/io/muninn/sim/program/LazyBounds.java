package io.muninn.sim.program;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.sim.check.Checker;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.NodeCounter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds what nodes keep for others within bounds: a node that takes part in no collection keeps no
 * more than it may; a collection frees every diff that was made before the node said what it has;
 * and at the end nobody keeps more than allowed. So a node keeps the bound, what one step adds, and
 * what it makes while one collection is under way.
 */
final class LazyBounds implements Checker {
    /** States of a node in the order in which a collection passes through them. */
    private static final List<String> STATES =
            List.of("Idle", "Asked", "Releasing", "Gathered", "Validating", "Validated");

    private static final int GATHERED = STATES.indexOf("Gathered");

    private record Diff(PageId page, long interval) {}

    private static final class Node {
        final Set<Diff> saved = new HashSet<>();
        Set<Diff> promised = Set.of(); // those that the collection under way has to free
        int state;
        long most;
    }

    private final long bytesMax;
    private final Map<NodeId, LazyNotices> protocols;
    private final Map<NodeId, Node> nodes = new HashMap<>();
    private long collections;
    private long most;

    /**
     * @param bytesMax above which a node has to ask
     * @param protocols of the nodes, once the run has started
     */
    LazyBounds(long bytesMax, Map<NodeId, LazyNotices> protocols) {
        this.bytesMax = bytesMax;
        this.protocols = protocols;
    }

    @Override
    public String name() {
        return "lazy bounds";
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
        return nodes.computeIfAbsent(node.id(), _ -> new Node());
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
        long bytes = protocols.get(node.id()).lazyBytes();
        of.most = Math.max(of.most, bytes);
        if (of.state == 0) {
            checkBound(node, bytes);
        }
    }

    private void checkBound(SimNode node, long bytes) {
        if (bytes > bytesMax) {
            throw violation(
                    "node " + node.id() + " keeps " + bytes + " bytes, and asks for no collection");
        }
    }

    @Override
    public void onEnd(Simulation simulation) {
        for (SimNode node : simulation.nodes()) {
            Node of = of(node);
            checkBound(node, protocols.get(node.id()).lazyBytes());
            if (of.state != 0 || node.pages().diffsLeft() != of.saved.size()) {
                throw violation(
                        "node "
                                + node.id()
                                + " ends "
                                + STATES.get(of.state)
                                + " with "
                                + node.pages().diffsLeft()
                                + " diffs, not "
                                + of.saved);
            }
            long counted = node.count(NodeCounter.LAZY_BYTES_MOST);
            if (counted < of.most) {
                throw violation(
                        "node " + node.id() + " kept " + of.most + " bytes and counts " + counted);
            }
            most = Math.max(most, counted);
        }
        collections = simulation.nodes().getFirst().count(NodeCounter.COLLECTIONS);
    }
}
