package io.muninn.sim.check;

import io.muninn.directory.Copyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;

/**
 * A copyset is never too small. The owner of a conventional page knows every node that can load it.
 * Of a write-shared page, whoever holds it reaches every other holder by asking the nodes in its
 * copyset for theirs, and so on; a node that got the page alone is alone.
 *
 * <p>Source: Munin §3.4.
 */
final class Copysets extends PageCheck {
    private static final String[] HOLDERS = {"Clean", "Dirty", "Exclusive", "Idle"};

    Copysets() {
        super("copysets");
    }

    @Override
    void check(PageView page) {
        switch (page.protocol()) {
            case CONVENTIONAL -> checkOwner(page);
            case WRITE_SHARED -> checkHolders(page);
            default -> {}
        }
    }

    private void checkOwner(PageView page) {
        for (int owner = 0; owner < page.nodes(); owner++) {
            if (!page.isIn(owner, "Shared owner", "Exclusive")) {
                continue;
            }
            for (int i = 0; i < page.nodes(); i++) {
                boolean holds = i != owner && page.access(i) != PageAccess.NONE;
                require(
                        !holds || page.copyset(owner).contains(NodeId.of(i)),
                        page,
                        "owner " + owner + " does not know of the copy of node " + i);
            }
        }
    }

    private void checkHolders(PageView page) {
        Copyset holders = Copyset.EMPTY;
        int alone = -1;
        for (int i = 0; i < page.nodes(); i++) {
            if (page.isIn(i, HOLDERS) || page.underwayTo(i, "fetch-reply") > 0) {
                holders = holders.with(NodeId.of(i));
            }
            alone = page.isIn(i, "Exclusive", "Idle") ? i : alone;
        }
        require(
                alone < 0 || holders.equals(Copyset.of(NodeId.of(alone))),
                page,
                "node " + alone + " is not alone: holders are " + holders);
        for (int i = 0; i < page.nodes(); i++) {
            if (page.isIn(i, HOLDERS)) {
                Copyset unknown = holders.minus(reached(page, i));
                require(unknown.isEmpty(), page, "node " + i + " reaches no " + unknown);
            }
        }
    }

    private static Copyset reached(PageView page, int from) {
        Copyset reached = Copyset.of(NodeId.of(from));
        Copyset before = Copyset.EMPTY;
        while (!reached.equals(before)) {
            before = reached;
            for (NodeId node : before) {
                reached = reached.union(page.copyset(node.index()));
            }
        }
        return reached;
    }
}
