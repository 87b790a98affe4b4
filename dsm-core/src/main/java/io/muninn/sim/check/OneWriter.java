package io.muninn.sim.check;

import io.muninn.api.Protocol;
import io.muninn.model.PageAccess;

/**
 * Of conventional and migratory pages: while threads of one node can store, nobody else can load.
 * Exactly one node owns such a page, if the ownership that is on its way is counted, too.
 */
final class OneWriter extends PageCheck {
    OneWriter() {
        super("one writer");
    }

    @Override
    void check(PageView page) {
        switch (page.protocol()) {
            case CONVENTIONAL -> {
                requireOneWriter(page);
                requireOneOwner(page, "write-grant", "Shared owner", "Exclusive", "AwaitAcks");
            }
            case MIGRATORY -> {
                requireOneWriter(page);
                requireOneOwner(page, "migratory-page", "Present");
            }
            default -> {}
        }
    }

    private void requireOneWriter(PageView page) {
        int writers = 0;
        int users = 0;
        for (int i = 0; i < page.nodes(); i++) {
            writers += page.access(i) == PageAccess.READ_WRITE ? 1 : 0;
            users += page.access(i) == PageAccess.NONE ? 0 : 1;
        }
        boolean right = writers == 0 || users == 1;
        require(right, page, writers + " nodes can store and " + users + " can load");
        boolean mayBeShared = page.protocol() == Protocol.CONVENTIONAL;
        require(mayBeShared || users <= 1, page, users + " nodes can load");
    }

    private void requireOneOwner(PageView page, String transfer, String... ownersStates) {
        int owners = page.underway(transfer);
        for (int i = 0; i < page.nodes(); i++) {
            owners += page.isIn(i, ownersStates) ? 1 : 0;
        }
        require(owners == 1, page, owners + " owners");
    }
}
