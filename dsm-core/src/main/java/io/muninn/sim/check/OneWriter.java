package io.muninn.sim.check;

import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.protocols.Migratory;
import io.muninn.sim.SimNode;
import java.util.List;

/**
 * While a node may store to a conventional or migratory page, no other living node has any access
 * to it; and a migratory page has content on one node at most, pages under way counted.
 */
final class OneWriter extends PageChecker {
    static final String NAME = "one writer";

    OneWriter(Overview overview) {
        super(overview);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    void check(PageId page) {
        switch (overview().protocol(page)) {
            case CONVENTIONAL -> checkAccess(page);
            case MIGRATORY -> {
                checkAccess(page);
                checkContent(page);
            }
            case READ_ONLY, WRITE_SHARED -> {}
        }
    }

    private void checkAccess(PageId page) {
        int writer = -1;
        int user = -1; // some other node with access
        for (int i = 0; i < overview().nodes(); i++) {
            SimNode node = overview().node(i);
            PageAccess access = node.isDead() ? PageAccess.NONE : node.pages().access(page);
            if (access == PageAccess.READ_WRITE && writer < 0) {
                writer = i;
            } else if (access != PageAccess.NONE) {
                user = i;
            }
        }
        if (writer >= 0 && user >= 0) {
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
        List<Overview.Sent> underway = overview().underway(page);
        if (underway.isEmpty() || !overview().isWhole()) {
            return;
        }
        String first = holder < 0 ? "" : "on node " + holder;
        for (Overview.Sent sent : underway) {
            if (sent.message() instanceof Migratory.PageMove) {
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
