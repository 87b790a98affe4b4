package io.muninn.verify.program;

import io.muninn.model.BarrierId;
import java.util.List;

/** Names of barriers of groups of threads. */
final class GroupBarrier {
    private GroupBarrier() {}

    /** Names the threads, or their number and a hash, if the name would be too long. */
    static BarrierId of(String kind, List<Integer> group) {
        String listed = kind + group;
        return new BarrierId(
                listed.length() <= BarrierId.NAME_BYTES_MAX
                        ? listed
                        : kind
                                + " of "
                                + group.size()
                                + ", "
                                + Integer.toHexString(group.hashCode()));
    }
}
