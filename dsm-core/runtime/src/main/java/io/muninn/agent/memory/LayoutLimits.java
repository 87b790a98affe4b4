package io.muninn.agent.memory;

import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;

/** Limits of the size of shared memory. */
public final class LayoutLimits {
    /** Address space for collective allocation, in addition to the declared layout: 64 GiB. */
    private static final long RESERVE_BYTES = 64L << 30;

    private LayoutLimits() {}

    /** Returns the address space for a layout and the reserve, in bytes. */
    public static long mappingBytes(Layout layout) {
        long page = RegionSpec.MACHINE_PAGE_BYTES;
        return (layout.bytes() + page - 1) / page * page + RESERVE_BYTES;
    }

    /**
     * Checks a layout.
     *
     * @throws IllegalArgumentException naming the first variable that does not fit
     */
    public static void check(Layout layout, long memoryBytes) {
        layout.regions().forEach(region -> check(region, Long.MAX_VALUE, memoryBytes));
        layout.remotes().forEach(remote -> check(remote, Long.MAX_VALUE, memoryBytes));
    }

    /**
     * Checks a region.
     *
     * @throws IllegalArgumentException naming the variable if it does not fit
     */
    public static void check(RegionSpec region, long mappingBytes, long memoryBytes) {
        long end = region.offset() + region.bytes();
        if (end > Math.min(memoryBytes, mappingBytes)) {
            throw new IllegalArgumentException(
                    "variable '"
                            + region.name()
                            + "' of "
                            + region.bytes()
                            + " bytes does not fit: shared memory would reach "
                            + end
                            + " bytes, and this node has "
                            + Math.min(memoryBytes, mappingBytes)
                            + " (option --memory)");
        }
    }
}
