package io.muninn.verify.check;

import io.muninn.model.PageId;

/**
 * A race that kernels report is one: threads of two nodes have stored to that granule, and neither
 * store happened before the other. The oracle is {@link VectorTimestamps}, of threads; kernels have
 * their own, of nodes, and what they see of stores is diffs.
 */
final class ReportedRaces implements Checker {
    static final String NAME = "reported races";

    private final ClusterView overview;
    private final Stores stores;

    ReportedRaces(ClusterView overview, Stores stores) {
        this.overview = overview;
        this.stores = stores;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onRace(PageId page, int offset, String text) {
        if (!stores.hadConflict(page, offset)) {
            throw violation(
                    "no race is at " + overview.region(page).name() + " " + page + ": " + text);
        }
    }
}
