package io.muninn.sync;

import io.muninn.model.NodeId;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effects;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.WaiterId;
import io.muninn.sync.SyncMessage.RefreshReply;
import io.muninn.sync.SyncMessage.RefreshRequest;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Refreshes: acquires of the stores of all other nodes, without a lock. The node of the thread
 * sends a request to every other node. Each performs a release, as for a message, and replies; the
 * cargo of a reply is acquired when it arrives. The thread continues when it has acquired all
 * replies. Each refresh has a number, which distinguishes those of several threads.
 *
 * <p>Costs a request and a reply per other node. In a cluster of one node it is answered at once.
 *
 * <p>A refresh has a state for each other node.
 *
 * <pre>
 *            RefreshCalled      RefreshReply          acquire performed
 * None       ask, →Asked        impossible            impossible
 * Asked      impossible         acquire, →Acquiring   impossible
 * Acquiring  impossible         impossible            →None (1)
 *
 * (1) for the last node of the refresh: answer the thread
 * </pre>
 *
 * A node that receives a request has no state: it begins a release, and replies when that is
 * performed.
 */
public final class Refreshes {
    private static final class Refresh {
        final WaiterId waiter;
        final TreeSet<NodeId> asked = new TreeSet<>();
        final TreeSet<NodeId> acquiring = new TreeSet<>();

        Refresh(WaiterId waiter) {
            this.waiter = waiter;
        }
    }

    private final NodeId self;
    private final int nodes;
    private final Releases releases;
    private final Acquires acquires;
    private final CargoHold cargo;
    private final Map<Long, Refresh> refreshes = new TreeMap<>(); // by number; one per thread
    private long lastNumber;

    public Refreshes(
            NodeId self, int nodes, Releases releases, Acquires acquires, CargoHold cargo) {
        this.self = self;
        this.nodes = nodes;
        this.releases = releases;
        this.acquires = acquires;
        this.cargo = cargo;
    }

    public void onRefreshCalled(Event.RefreshCalled call, Effects out) {
        if (nodes == 1) {
            out.resumeWaiter(call.waiter(), Outcome.DONE);
            return;
        }
        Refresh refresh = new Refresh(call.waiter());
        long number = ++lastNumber;
        refreshes.put(number, refresh);
        for (int i = 0; i < nodes; i++) {
            NodeId node = NodeId.of(i);
            if (!node.equals(self)) {
                refresh.asked.add(node);
                out.send(node, new RefreshRequest(number));
            }
        }
    }

    /** Begins the release for another node's refresh. */
    public void onRefreshRequest(NodeId from, RefreshRequest request, Effects out) {
        releases.begin(new GatedRelease.Refresh(from, request.number()), out);
    }

    /** Replies to a refresh, because every dirty page is flushed. */
    public void onReleasePerformed(GatedRelease.Refresh leaving, Effects out) {
        Cargo along = cargo.onSend(leaving.to(), out);
        out.send(leaving.to(), new RefreshReply(leaving.number(), along));
    }

    public void onRefreshReply(NodeId from, RefreshReply reply, Effects out) {
        Refresh refresh = refreshes.get(reply.number());
        if (refresh == null || !refresh.asked.remove(from)) {
            throw new ProtocolViolation("node=" + from + " was not asked, event=" + reply);
        }
        refresh.acquiring.add(from);
        acquires.begin(new GatedAcquire.Refresh(from, reply.number()), reply.cargo(), out);
    }

    /** Records that the other node's stores are visible here. */
    public void onAcquirePerformed(GatedAcquire.Refresh acquired, Effects out) {
        Refresh refresh = refreshes.get(acquired.number());
        if (refresh == null || !refresh.acquiring.remove(acquired.from())) {
            throw new ProtocolViolation("no refresh acquires it, event=" + acquired);
        }
        if (refresh.asked.isEmpty() && refresh.acquiring.isEmpty()) {
            refreshes.remove(acquired.number());
            out.resumeWaiter(refresh.waiter, Outcome.DONE);
        }
    }
}
