package io.muninn.verify.check;

import io.muninn.api.Protocol;
import io.muninn.coherence.invalidate.Conventional;
import io.muninn.coherence.shared.Requests;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The copysets of conventional and pipelined pages cover the holders. The ownership of a page is in
 * one place: at a node in an owner's state, at a node that awaits acknowledgements, or in a grant
 * in transit. The owner knows every other node that has content, access, or an image in transit to
 * it that is not outdated. An owner knows them by its copyset, a node that awaits acknowledgements
 * by its unacknowledged invalidations, and a grant carries a copyset.
 *
 * <p>Nothing is checked once a node is lost.
 */
public final class OwnersCopysets extends PageChecker {
    private static final Set<Protocol> PROTOCOLS =
            EnumSet.of(Protocol.CONVENTIONAL, Protocol.PIPELINED);

    /** State of one page, collected from messages; by node. */
    private static final class Marks {
        final NodeSets awaited; // nodes whose acknowledgements it awaits
        final long[] deadBelow; // generation below which an image is outdated

        Marks(int nodes) {
            awaited = new NodeSets(nodes);
            deadBelow = new long[nodes];
        }
    }

    private final PerPage<Marks> marks = new PerPage<>(_ -> new Marks(overview().nodes()));

    public OwnersCopysets(ClusterView overview) {
        super(overview);
    }

    @Override
    public String name() {
        return Copysets.NAME;
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.MessageArrived(var from, Conventional.Msg message, long _)) {
            Marks of = marks.of(message.page());
            int at = node.id().index();
            if (message instanceof Conventional.InvalidateAck) {
                of.awaited.of(at).clear(from.index());
            } else if (message instanceof Conventional.Invalidate(PageId page, long generation)
                    && node.snapshot(page).state().equals("AwaitCopy")) {
                of.deadBelow[at] = Math.max(of.deadBelow[at], generation);
            } else if (message instanceof Conventional.WriteGrant grant
                    && grant.answered() == Requests.UNASKED) {
                of.deadBelow[at] = Math.max(of.deadBelow[at], grant.generation()); // overtaken
            }
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        int at = node.id().index();
        for (Effect effect : effects) {
            if (effect instanceof Effect.Send(NodeId to, Conventional.Invalidate invalidate)) {
                marks.of(invalidate.page()).awaited.of(at).set(to.index());
            }
        }
        super.afterStep(node, event, effects);
    }

    @Override
    protected void check(PageId page) {
        if (PROTOCOLS.contains(overview().protocol(page)) && overview().isWhole()) {
            checkOwner(page);
        }
    }

    private void checkOwner(PageId page) {
        Marks of = marks.of(page);
        int owner = -1;
        BitSet covered = new BitSet();
        for (int i = 0; i < overview().nodes(); i++) {
            switch (overview().state(i, page)) {
                case "Shared owner", "Exclusive" -> {
                    checkAlone(page, owner, i);
                    owner = i;
                    covered = ClusterView.nodes(overview().snapshot(i, page).copyset());
                }
                case "AwaitAcks", "Invalidating" -> {
                    checkAlone(page, owner, i);
                    owner = i;
                    covered = (BitSet) of.awaited.of(i).clone();
                }
                default -> {}
            }
        }
        for (ClusterView.Sent sent : overview().underway(page)) {
            if (sent.message() instanceof Conventional.WriteGrant grant) {
                checkAlone(page, owner, sent.to());
                owner = sent.to();
                covered = ClusterView.nodes(grant.copyset());
            }
        }
        if (owner < 0) {
            throw violation(overview().describe(0, page) + " has no owner on any node");
        }
        covered.set(owner);
        BitSet missing = ClusterView.without(holders(page, of), covered);
        if (!missing.isEmpty()) {
            throw violation(
                    overview().describe(owner, page)
                            + ", the owner, does not know of the copies on nodes "
                            + missing
                            + ", only of "
                            + covered);
        }
    }

    private void checkAlone(PageId page, int owner, int other) {
        if (owner >= 0) {
            throw violation(
                    overview().describe(owner, page)
                            + " is owned, and also by "
                            + overview().describe(other, page));
        }
    }

    private BitSet holders(PageId page, Marks of) {
        BitSet holders = overview().present(page);
        for (ClusterView.Sent sent : overview().underway(page)) {
            if (sent.message() instanceof Conventional.ReadReply reply
                    && reply.generation() >= of.deadBelow[sent.to()]) {
                holders.set(sent.to());
            }
        }
        return holders;
    }
}
