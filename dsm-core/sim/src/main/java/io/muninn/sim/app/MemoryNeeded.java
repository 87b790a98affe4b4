package io.muninn.sim.app;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.muninn.api.spi.GrowingLayout;
import io.muninn.api.spi.Layout;
import io.muninn.api.spi.RegionSpec;
import io.muninn.sim.RegionMemory;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * The memory of this JVM that a simulation of a layout needs, checked before it starts. Every node
 * has all pages, outside the heap. The heap has a record of every page of every node, and twins: as
 * many as if every page was stored to on one node. Of large variables on more nodes than a live
 * cluster has ({@link RegionMemory}), only the first node has all of that for certain.
 *
 * @param nodes number of nodes
 * @param nativeMax largest number of bytes outside the heap
 * @param heapMax largest number of bytes of the heap
 */
record MemoryNeeded(int nodes, long nativeMax, long heapMax) {
    /** Heap of a page of a node: its frame, its directory entry, its state. */
    private static final long PAGE_RECORDS_BYTES = 256;

    /** The same of a page that the node does not use: references that are null. */
    private static final long NO_RECORDS_BYTES = 16;

    private static final double MEBIBYTE = 1 << 20;

    /** Creates a check against the limits of this JVM. */
    static MemoryNeeded here(int nodes) {
        long heap = Runtime.getRuntime().maxMemory();
        HotSpotDiagnosticMXBean options =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        long direct = Long.parseLong(options.getVMOption("MaxDirectMemorySize").getValue());
        return new MemoryNeeded(nodes, direct == 0 ? heap : direct, heap);
    }

    /**
     * @throws IllegalArgumentException if the limits do not suffice, with the numbers
     */
    void check(Layout layout) {
        check(layout.bytes(), layout.regions().stream().mapToLong(RegionSpec::pages).sum());
    }

    private void check(long bytes, long pages) {
        boolean isSparse = RegionMemory.isSparse(bytes, nodes);
        long nativeBytes = isSparse ? bytes : Math.multiplyExact(bytes, nodes);
        if (nativeBytes > nativeMax) {
            throw new IllegalArgumentException(
                    text(bytes)
                            + mebibytes(nativeBytes)
                            + " outside the heap, and this JVM may have "
                            + mebibytes(nativeMax)
                            + " (-XX:MaxDirectMemorySize, or -Xmx without it)");
        }
        long records =
                isSparse
                        ? PAGE_RECORDS_BYTES + nodes * NO_RECORDS_BYTES
                        : nodes * PAGE_RECORDS_BYTES;
        long heapBytes = pages * records + bytes;
        if (heapBytes > heapMax) {
            throw new IllegalArgumentException(
                    text(bytes)
                            + mebibytes(heapBytes)
                            + " of the heap, which may have "
                            + mebibytes(heapMax)
                            + " (-Xmx)");
        }
    }

    /**
     * Checks a layout that is about to grow by a region.
     *
     * @throws IllegalArgumentException naming the variable, if the limits do not suffice
     */
    void checkGrown(GrowingLayout layout, RegionSpec added) {
        try {
            check(added.end(), layout.pages() + added.pages());
        } catch (IllegalArgumentException tooLarge) {
            throw new IllegalArgumentException(
                    "variable '"
                            + added.name()
                            + "' of "
                            + added.bytes()
                            + " bytes does not fit: "
                            + tooLarge.getMessage(),
                    tooLarge);
        }
    }

    private String text(long bytes) {
        return "a simulation of "
                + nodes
                + " nodes with "
                + mebibytes(bytes)
                + " of shared variables each needs ";
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEBIBYTE);
    }
}
