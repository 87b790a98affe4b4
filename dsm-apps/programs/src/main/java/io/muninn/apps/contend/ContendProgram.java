package io.muninn.apps.contend;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.Pattern;

/**
 * All threads of all nodes store to one conventional page without synchronization, each to its own
 * element. Only one node at a time can write to the page, so every thread loses it repeatedly; all
 * threads must make progress nevertheless. Between two stores a thread computes for some
 * microseconds, so that no node ends before others have begun.
 */
public final class ContendProgram implements DsmProgram {
    private static final int PAGE_ELEMENTS = 512;

    /** Steps of private computation between two stores: a few microseconds. */
    private static final int STEPS = 1000;

    @Shared private final LongArray slots = LongArray.of(PAGE_ELEMENTS);

    private final int stores;

    /**
     * @param stores number of stores of every thread, 0 or more
     */
    public ContendProgram(int stores) {
        this.stores = stores;
    }

    @Override
    public void run(DsmNode node) {
        if (node.positions() > PAGE_ELEMENTS) {
            throw new IllegalArgumentException(
                    "contend has room for " + PAGE_ELEMENTS + " threads, not " + node.positions());
        }
        int mine = node.position();
        node.barrier("start").await();
        long value = mine;
        for (int i = 0; i < stores; i++) {
            value = compute(value);
            slots.setVolatile(mine, value); // a plain store could leave the loop
            node.work(STEPS);
        }
        node.barrier("end").await();
    }

    private static long compute(long value) {
        long result = value;
        for (int i = 0; i < STEPS; i++) {
            result = Pattern.mix(result);
        }
        return result;
    }

    @Override
    public Verdict verify(DsmNode root) {
        for (int position = 0; position < root.positions(); position++) {
            long expected = stores == 0 ? 0 : position;
            for (int i = 0; i < stores; i++) {
                expected = compute(expected);
            }
            long actual = slots.getVolatile(position);
            if (actual != expected) {
                return Verdict.wrong(
                        "element "
                                + position
                                + " is "
                                + actual
                                + " after "
                                + stores
                                + " stores, not "
                                + expected);
            }
        }
        return Verdict.right(
                root.positions() + " threads stored " + stores + " times each to one page");
    }
}
