package io.muninn.apps;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Determines which thread of a node reaches an item first in each phase of a program. That thread
 * prefetches the item for all threads of the node.
 *
 * <p><b>Threads.</b> The threads of a node share one instance.
 *
 * <p>Source: Mowry §5.1, where a dynamic flag avoids redundant prefetches.
 */
public final class FirstThread {
    private final AtomicIntegerArray latest;

    /**
     * @param count number of items, which are numbered from 0
     */
    public FirstThread(int count) {
        int[] none = new int[count];
        Arrays.fill(none, -1);
        latest = new AtomicIntegerArray(none);
    }

    /**
     * Returns true for the first thread that calls this for an item in a phase.
     *
     * @param phase 0 or more, never less than in an earlier call
     */
    public boolean isFirst(int thing, int phase) {
        return latest.getAndAccumulate(thing, phase, Math::max) < phase;
    }
}
