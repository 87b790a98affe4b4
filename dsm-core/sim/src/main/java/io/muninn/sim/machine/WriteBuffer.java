package io.muninn.sim.machine;

import java.util.Arrays;

/**
 * A write buffer between a processor and its second-level cache. It keeps the newest lines so that
 * further stores to them join them. A line that leaves for the cache needs some time there, after
 * the lines before it, and has its place in the buffer until then.
 *
 * <p>Source: Skadron and Clark's retire-at-N policy, as in Bilas, Iftode, Samanta and Singh,
 * section 4.
 */
final class WriteBuffer {
    private final int[] newest; // lines that have not begun to leave, in a ring
    private final long[] goneCycles; // when lines that leave are gone, in a ring
    private int next;
    private int nextGone;
    private long lastGoneCycles;

    /**
     * @param lines its capacity, more than {@code retiresAt}
     * @param retiresAt number of lines at which the oldest begins to leave
     */
    WriteBuffer(int lines, int retiresAt) {
        newest = new int[retiresAt - 1];
        goneCycles = new long[lines - newest.length];
        Arrays.fill(newest, SetCache.ABSENT);
    }

    boolean holds(int line) {
        for (int each : newest) {
            if (each == line) {
                return true;
            }
        }
        return false;
    }

    /** Adds a line. Returns the line that leaves, or {@link SetCache#ABSENT}. */
    int add(int line) {
        int oldest = newest[next];
        newest[next] = line;
        next = next + 1 == newest.length ? 0 : next + 1;
        return oldest;
    }

    /**
     * A line leaves.
     *
     * @param serviceCycles that the cache takes for it
     * @return for how long the processor waits because the buffer is full
     */
    long leave(long nowCycles, long serviceCycles) {
        long stall = Math.max(0, goneCycles[nextGone] - nowCycles);
        lastGoneCycles = Math.max(lastGoneCycles, nowCycles + stall) + serviceCycles;
        goneCycles[nextGone] = lastGoneCycles;
        nextGone = nextGone + 1 == goneCycles.length ? 0 : nextGone + 1;
        return stall;
    }
}
