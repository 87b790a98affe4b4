package io.muninn.sim.check;

import io.muninn.model.PageAccess;

/**
 * What threads may do to a page is at most what its state grants, a page has content where its
 * state says so, and a twin exists exactly while a page is dirty.
 */
final class Rights extends PageCheck {
    Rights() {
        super("rights and twins");
    }

    @Override
    void check(PageView page) {
        for (int i = 0; i < page.nodes(); i++) {
            PageAccess most = mostAccess(page.state(i));
            require(
                    page.access(i).compareTo(most) <= 0,
                    page,
                    "node " + i + " has access " + page.access(i) + " in state " + page.state(i));
            require(
                    page.hasTwin(i) == page.state(i).equals("Dirty"),
                    page,
                    "node " + i + (page.hasTwin(i) ? " has a" : " has no") + " twin");
            require(
                    !page.isPresent(i) || mayHaveContent(page.state(i)),
                    page,
                    "node " + i + " has content in state " + page.state(i));
        }
    }

    private static PageAccess mostAccess(String state) {
        return switch (state) {
            case "Shared", "Shared owner", "AwaitGrant", "AwaitAcks", "Readable", "Clean" ->
                    PageAccess.READ;
            case "Exclusive", "Present", "Writable", "Dirty" -> PageAccess.READ_WRITE;
            case "Idle" -> PageAccess.READ_WRITE; // until the withdrawal is done
            default -> PageAccess.NONE;
        };
    }

    private static boolean mayHaveContent(String state) {
        return switch (state) {
            case "Invalid", "AwaitCopy", "Absent", "Awaiting", "Fetching" -> false;
            default -> true;
        };
    }
}
