package io.muninn.sim.check;

/**
 * Following probable owners from any node ends, in fewer hops than there are nodes, where a request
 * is answered or kept: at the owner, at a node that waits for ownership, or at one to which the
 * page is on its way.
 *
 * <p>Source: Li and Hudak, "Memory Coherence in Shared Virtual Memory Systems", TOCS 7(4), 1989.
 */
final class OwnerChains extends PageCheck {
    OwnerChains() {
        super("owner chains");
    }

    @Override
    void check(PageView page) {
        for (int start = 0; start < page.nodes(); start++) {
            int at = start;
            int hops = 0;
            while (!isEnd(page, at)) {
                at = page.probableOwner(at);
                hops++;
                require(
                        hops < page.nodes(),
                        page,
                        "probable owners from node " + start + " do not end at an owner");
            }
        }
    }

    private static boolean isEnd(PageView page, int node) {
        return switch (page.protocol()) {
            case CONVENTIONAL ->
                    page.isIn(node, "Shared owner", "Exclusive", "AwaitGrant", "AwaitAcks");
            case READ_ONLY -> node == 0;
            case MIGRATORY -> page.isIn(node, "Present", "Awaiting");
            case WRITE_SHARED ->
                    page.isIn(node, "Clean", "Dirty", "Exclusive", "Idle")
                            || page.underwayTo(node, "fetch-reply") > 0;
        };
    }
}
