package io.muninn.verify.check;

import io.muninn.model.PageId;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.Trait;

/**
 * Whoever follows probable owners, from any node, comes in fewer hops than there are nodes to one
 * that can answer, and never in a circle. Who can answer:
 *
 * <ul>
 *   <li>where the root answers, the root, which every node names
 *   <li>else a node in a state in which requests are answered or kept
 *   <li>and a node to which a reply is under way that makes it the owner. A write-shared page that
 *       is being handed over needs this: a node that fetches forwards meanwhile, and the old owner
 *       and the new one name each other, so requests go to and fro between them until the reply is
 *       there
 * </ul>
 *
 * <p>Nothing is promised once a node is lost.
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
        if (!overview().isWhole()) {
            return;
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
