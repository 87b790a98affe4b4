package io.muninn.apps;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which thread of a node comes to something first, in each phase of a program: it prefetches what
 * all threads of the node are going to use.
 *
 * <p><b>Threads.</b> All of a node have one instance.
 *
 * <p>Source: Mowry §5.1, where a dynamic flag protects redundant prefetches.
 */
public final class FirstThread {
    private final AtomicIntegerArray latest;

    /**
     * @param count of things, numbered from 0
     */
    public FirstThread(int count) {
        int[] none = new int[count];
        Arrays.fill(none, -1);
        latest = new AtomicIntegerArray(none);
    }

    /**
     * True for the first thread that comes to a thing in a phase.
     *
     * @param phase 0 or more, never less than in an earlier call
     */
    public boolean isFirst(int thing, int phase) {
        return latest.getAndAccumulate(thing, phase, Math::max) < phase;
    }
}
