package io.muninn.sim.check;

import io.muninn.coherence.writeshared.WriteSharedMessages.PageReply;
import io.muninn.model.PageId;

/**
 * Whoever follows probable owners, from any node, comes in fewer hops than there are nodes to one
 * that can answer, and never in a circle. Who can answer:
 *
 * <ul>
 *   <li>conventional and pipelined: the owner, a node that awaits acknowledgements, or one that
 *       awaits ownership, which keeps requests until it has it
 *   <li>migratory: the node that has the page, or one that awaits it
 *   <li>read-only: the root, which every node names
 *   <li>write-shared: a holder that can serve, Clean, Dirty, Exclusive or Idle; or a node to which
 *       a reply is under way that hands the page over. A node that fetches forwards meanwhile, so
 *       it ends no chain; and while the page is handed over, the old owner and the new one name
 *       each other, so requests go to and fro between them until the reply is there
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
    void check(PageId page) {
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
                    sent.message() instanceof PageReply reply && reply.of(page).handsOver();
        }
        for (int i = 0; i < nodes; i++) {
            follow(i, page);
        }
    }

    private boolean isEnd(int node, PageId page) {
        String state = overview().state(node, page);
        return switch (overview().protocol(page)) {
            case CONVENTIONAL, PIPELINED ->
                    switch (state) {
                        case "Shared owner", "Exclusive", "AwaitGrant" -> true;
                        case "AwaitAcks", "Invalidating" -> true;
                        default -> false;
                    };
            case MIGRATORY -> state.equals("Present") || state.equals("Awaiting");
            case READ_ONLY -> node == 0;
            case WRITE_SHARED ->
                    switch (state) {
                        case "Absent", "Deferred", "Ahead", "Fetching" -> false;
                        default -> true;
                    };
        };
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
