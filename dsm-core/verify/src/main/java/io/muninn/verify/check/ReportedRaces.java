package io.muninn.verify.check;

import io.muninn.model.PageId;

/**
 * Every reported race is a race: threads of two nodes have stored to the granule, and the stores
 * are not ordered by happened-before. The oracle is {@link VectorTimestamps}, by thread; kernels
 * use vector timestamps by node, and compare diffs.
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
