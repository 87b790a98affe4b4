package io.muninn.verify.check;

import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.SimNode;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;
import java.util.List;

/**
 * While a node may store to a page of a protocol with one writer, no other living node has access
 * to it. There are two exceptions. If a node may store while it awaits acknowledgements of
 * invalidations, the nodes of these copies may have read access. If acquires invalidate, all nodes
 * may have read access. A page of a protocol with one copy has content on at most one node,
 * including pages in transit.
 */
final class OneWriter extends PageChecker {
    static final String NAME = "one writer";

    OneWriter(ClusterView overview) {
        super(overview);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    protected void check(PageId page) {
        ProtocolTraits traits = overview().traits(page);
        if (traits.has(Trait.ONE_WRITER)) {
            checkAccess(page);
        }
        if (traits.has(Trait.ONE_COPY)) {
            checkContent(page);
        }
    }

    private void checkAccess(PageId page) {
        int writer = -1;
        for (int i = 0; i < overview().nodes() && writer < 0; i++) {
            writer = access(i, page) == PageAccess.READ_WRITE ? i : -1;
        }
        for (int user = 0; user < overview().nodes() && writer >= 0; user++) {
            if (user == writer
                    || access(user, page) == PageAccess.NONE
                    || mayRead(page, writer, user)) {
                continue;
            }
            throw violation(
                    overview().describe(writer, page)
                            + " may be stored to, and node "
                            + user
                            + " has access "
                            + overview().node(user).pages().access(page)
                            + ", as "
                            + overview().describe(user, page));
        }
    }

    private PageAccess access(int at, PageId page) {
        SimNode node = overview().node(at);
        return node.isDead() ? PageAccess.NONE : node.pages().access(page);
    }

    /**
     * True for a copy that an acquire invalidates, or that a pending invalidation will end before
     * the writer's next release is performed.
     */
    private boolean mayRead(PageId page, int writer, int user) {
        if (overview().traits(page).has(Trait.ACQUIRES_INVALIDATE)) {
            return access(user, page) == PageAccess.READ;
        }
        ProtocolTraits.State contract = overview().contract(writer, page);
        return contract.access() == PageAccess.READ_WRITE
                && contract.is(Mark.AWAITS_ACKS)
                && access(user, page) == PageAccess.READ
                && overview().snapshot(writer, page).copyset().contains(NodeId.of(user));
    }

    private void checkContent(PageId page) {
        int holder = -1;
        for (int i = 0; i < overview().nodes(); i++) {
            SimNode node = overview().node(i);
            if (!node.isDead() && node.pages().isPresent(page)) {
                if (holder >= 0) {
                    throw twice(page, "on node " + holder, "on node " + i);
                }
                holder = i;
            }
        }
        List<ClusterView.Sent> underway = overview().underway(page);
        if (underway.isEmpty() || !overview().isWhole()) {
            return;
        }
        String first = holder < 0 ? "" : "on node " + holder;
        for (ClusterView.Sent sent : underway) {
            if (sent.message() instanceof ProtocolMessage.Reply reply
                    && reply.givesOwnership(page)) {
                String where = "on its way from node " + sent.from() + " to node " + sent.to();
                if (!first.isEmpty()) {
                    throw twice(page, first, where);
                }
                first = where;
            }
        }
    }

    private RuntimeException twice(PageId page, String first, String second) {
        return violation(
                overview().describe(0, page)
                        + " moves as a whole, but its content is "
                        + first
                        + " and "
                        + second);
    }
}
