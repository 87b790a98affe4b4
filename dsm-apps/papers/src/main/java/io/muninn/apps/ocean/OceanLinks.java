package io.muninn.apps.ocean;

import java.util.List;

/** The operations of OCEAN that differ between versions. Each thread makes the same calls. */
interface OceanLinks {
    /** How two numbers of threads become one. */
    enum Join {
        SUM,
        MOST;

        long of(long one, long other) {
            return this == SUM ? one + other : Math.max(one, other);
        }
    }

    /** All threads have ended a loop; of these grids each is going to look at others' parts. */
    void changed(List<OceanGrid> grids);

    /**
     * One number of all threads, which ends a loop as {@link #changed} does. Between two calls with
     * one join is a call of {@code changed}.
     *
     * @param mine at least 0 for {@link Join#MOST}
     */
    long all(Join join, long mine, List<OceanGrid> grids);

    /** The loop after the next barrier looks around in these grids, which no loop now changes. */
    default void soon(List<OceanGrid> grids) {}

    /** A loop over a part of a grid begins. */
    default void begin() {}

    /**
     * The loop comes to a row of the part, and looks at cells of a grid there and around.
     *
     * @param level of the loop
     */
    default void come(OceanGrid read, int level, int row) {}
}
