package io.muninn.agent.lifecycle;

import io.muninn.agent.NodeMachine;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.report.NodeReport;
import io.muninn.report.WaitMeters;
import io.muninn.spi.Event;
import io.muninn.wire.MalformedMessageException;
import java.util.Optional;

/**
 * Reports of the cluster and the kernel that change the life cycle of a node. {@link Phase} has the
 * table.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class NodeEvents implements NodeMachine.Owner {
    private final LifeCycle life;

    NodeEvents(LifeCycle life) {
        this.life = life;
    }

    @Override
    public void onStarted() {
        if (life.phase() instanceof Phase.Joining now) {
            now.machine().meet();
            life.become(now.started());
            life.host().onStarted();
            life.endOfRun().ready();
            now.ready().started();
            life.waits().start();
        }
    }

    @Override
    public void onProgress(String text) {
        life.warn(text);
    }

    @Override
    public void onTurnedAway(String reason) {
        life.refusals().add("this node's address", reason);
    }

    @Override
    public long agentNanos() {
        return life.host().agentNanos(life.config().self());
    }

    @Override
    public Optional<WaitMeters> meters() {
        return life.host().meters(life.config().self());
    }

    @Override
    public long connectionsRefused() {
        return life.refusals().count();
    }

    @Override
    public void onPeerLost(NodeId node, String reason) {
        if (life.phase() instanceof Phase.Undecided now) {
            life.become(now.decided());
            now.machine().handle(new Event.PeerLost(node, reason));
            if (now instanceof Phase.Joining joining) {
                joining.ready().lost(node, reason);
            }
            String text = "node " + node + " is lost: " + reason;
            life.endApplication(ExitStatus.NODE_LOST, node, text, LifeCycle.GRACE);
        }
    }

    @Override
    public void onRefused(String text) {
        fail(ExitStatus.USAGE, "the cluster refuses this node: " + text);
    }

    @Override
    public void onUnfit(String text) {
        fail(ExitStatus.USAGE, text);
    }

    @Override
    public void onFailed(String text) {
        fail(ExitStatus.FAILED, text);
    }

    /**
     * Ends this node.
     *
     * @param status if the run has not started; afterwards it is a loss
     */
    private void fail(int status, String text) {
        if (life.phase() instanceof Phase.Undecided now) {
            life.become(now.decided());
            if (now instanceof Phase.Joining joining) {
                life.endOfRun().failed(status, life.config().self(), text);
                joining.ready().refused(text); // the application reports it
            } else {
                now.machine().handle(new Event.PeerLost(life.config().self(), text));
                life.endApplication(
                        ExitStatus.NODE_LOST, life.config().self(), text, LifeCycle.GRACE);
            }
        }
    }

    @Override
    public void onReport(NodeId from, byte[] report) {
        NodeReport decoded = NodeReport.decode(report);
        if (decoded.node() != from.index()) {
            throw new MalformedMessageException("a report of node " + decoded.node());
        }
        life.endOfRun().add(decoded);
        if (life.endOfRun().isComplete()) {
            life.events().concluded();
        }
    }

    @Override
    public void onWaitsLast() {
        life.waits().onLasting();
    }

    @Override
    public void onWaitsAsked(int number, boolean withLines) {
        life.waits().onAsked(number, withLines);
    }

    @Override
    public void onWaits(NodeId from, int number, byte[] content) {
        life.waits().onAnswer(from, number, content);
    }

    @Override
    public void onFinished(NodeId from, int status, String text) {
        if (text.isEmpty() && !from.isRoot()) {
            life.loseSelf("node " + from + " says that the run is over, which only node 0 decides");
            return;
        }
        boolean isVerified = !text.isEmpty() || life.verifyPool();
        if (isVerified && life.phase() instanceof Phase.Undecided now) {
            life.become(now.decided());
            NodeMachine machine = now.machine();
            if (!text.isEmpty()) {
                machine.handle(new Event.PeerLost(from, text));
                life.endWithOther(status, from, text);
                return;
            }
            life.endOfRun().failed(status, from, "the run ended with status " + status);
            machine.cluster().report(machine.report().encode());
            life.events().answerClose(now);
        }
    }

    @Override
    public void failRun(String reason) {
        life.failRun(reason);
    }

    @Override
    public void raceFound(PageId page, int offset, String text, boolean isCertain) {
        life.endOfRun().raceFound(text, isCertain);
    }

    @Override
    public void onMalformed(NodeId from, String text) {
        if (life.phase() instanceof Phase.WithMemory attached) {
            attached.machine().cluster().lost(from, text);
        }
        onPeerLost(from, text);
    }

    @Override
    public void onHalt(String description) {
        life.halt(description);
    }

    @Override
    public void onBrokenMemory(BrokenMemoryException broken) {
        life.loseByMemory(broken);
    }
}
