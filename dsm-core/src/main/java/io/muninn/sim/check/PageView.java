package io.muninn.sim.check;

import io.muninn.api.Protocol;
import io.muninn.directory.Copyset;
import io.muninn.directory.PageSnapshot;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocol.ProtocolMessage;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.wire.Message;
import java.util.ArrayList;
import java.util.List;

/** One page on all nodes, and the messages about it that are on their way. */
final class PageView {
    /** A message about the page. */
    record Underway(int from, int to, String kind, Message message) {}

    private final Simulation simulation;
    private final PageId page;
    private final PageSnapshot[] snapshots;
    private final List<Underway> underway = new ArrayList<>();

    PageView(Simulation simulation, PageId page) {
        this.simulation = simulation;
        this.page = page;
        int nodes = simulation.nodes().size();
        snapshots = new PageSnapshot[nodes];
        for (int i = 0; i < nodes; i++) {
            snapshots[i] = node(i).snapshot(page);
        }
        simulation.forEachUnderway(this::add);
    }

    private void add(NodeId from, NodeId to, Message message) {
        if (message instanceof ProtocolMessage about && about.pages().contains(page)) {
            underway.add(new Underway(from.index(), to.index(), message.codec().name(), message));
        }
    }

    PageId page() {
        return page;
    }

    Protocol protocol() {
        return node(0).pages().spec(page.region()).protocol();
    }

    int nodes() {
        return snapshots.length;
    }

    SimNode node(int index) {
        return simulation.nodes().get(index);
    }

    /** The name of the state on a node. */
    String state(int node) {
        return snapshots[node].state();
    }

    boolean isIn(int node, String... states) {
        String state = state(node);
        for (String each : states) {
            if (each.equals(state)) {
                return true;
            }
        }
        return false;
    }

    int probableOwner(int node) {
        return snapshots[node].probableOwner().index();
    }

    Copyset copyset(int node) {
        return snapshots[node].copyset();
    }

    PageAccess access(int node) {
        return node(node).pages().access(page);
    }

    boolean isPresent(int node) {
        return node(node).pages().isPresent(page);
    }

    boolean hasTwin(int node) {
        return node(node).pages().hasTwin(page);
    }

    List<Underway> underway() {
        return underway;
    }

    /** Messages of a kind that are on their way to a node. */
    int underwayTo(int node, String kind) {
        int count = 0;
        for (Underway each : underway) {
            count += each.to() == node && each.kind().equals(kind) ? 1 : 0;
        }
        return count;
    }

    int underway(String kind) {
        int count = 0;
        for (Underway each : underway) {
            count += each.kind().equals(kind) ? 1 : 0;
        }
        return count;
    }

    /** Every node's view, for the text of a violation. */
    String describe() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodes(); i++) {
            text.append("\n  ")
                    .append(node(i).describe(page))
                    .append(", access ")
                    .append(access(i));
            text.append(hasTwin(i) ? ", twin" : "");
        }
        for (Underway each : underway) {
            text.append("\n  on its way from ").append(each.from()).append(" to ");
            text.append(each.to()).append(": ").append(each.message());
        }
        return text.toString();
    }
}
