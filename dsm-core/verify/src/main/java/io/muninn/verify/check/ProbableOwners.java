package io.muninn.verify.check;

import io.muninn.model.PageId;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;

/**
 * The chain of probable owners leads from any node, in fewer hops than there are nodes and without
 * a circle, to a node that can answer. Nodes that can answer:
 *
 * <ul>
 *   <li>if the root answers requests: the root, which every node names
 *   <li>otherwise a node in a state in which requests are answered or deferred
 *   <li>and a node to which a reply is in transit that makes it the owner. This is needed while the
 *       ownership of a write-shared page is transferred: the fetching node forwards requests, the
 *       old and the new owner name each other, and requests circulate between them until the reply
 *       arrives
 * </ul>
 *
 * <p>Nothing is checked once a node is lost.
 */
final class ProbableOwners extends PageChecker {
    static final String NAME = "probable owners";

    private boolean[] ends = {};

    ProbableOwners(ClusterView overview) {
        super(overview);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    protected void check(PageId page) {
        if (!overview().isWhole() || overview().traits(page).has(Trait.POOLED)) {
            return; // a pool answers no requests
        }
        int nodes = overview().nodes();
        ends = ends.length == nodes ? ends : new boolean[nodes];
        for (int i = 0; i < nodes; i++) {
            ends[i] = isEnd(i, page);
        }
        for (ClusterView.Sent sent : overview().underway(page)) {
            ends[sent.to()] |=
                    sent.message() instanceof ProtocolMessage.Reply reply
                            && reply.givesOwnership(page);
        }
        for (int i = 0; i < nodes; i++) {
            follow(i, page);
        }
    }

    private boolean isEnd(int node, PageId page) {
        return overview().traits(page).has(Trait.ROOT_ANSWERS)
                ? node == 0
                : overview().contract(node, page).is(Mark.ANSWERS);
    }

    private void follow(int from, PageId page) {
        int at = from;
        for (int hops = 0; !ends[at]; hops++) {
            int next = overview().snapshot(at, page).probableOwner().index();
            if (hops == ends.length - 1 || next == at) {
                throw violation(
                        overview().describe(from, page)
                                + " leads in "
                                + (hops + 1)
                                + " hops to no node that can answer: "
                                + path(from, page));
            }
            at = next;
        }
    }

    private String path(int from, PageId page) {
        StringBuilder path = new StringBuilder();
        int at = from;
        for (int i = 0; i <= ends.length; i++) {
            path.append(i == 0 ? "" : " → ").append(at);
            path.append(" (").append(overview().state(at, page)).append(')');
            at = overview().snapshot(at, page).probableOwner().index();
        }
        return path.toString();
    }
}
