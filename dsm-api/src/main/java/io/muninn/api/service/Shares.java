package io.muninn.api.service;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.api.Schedule;
import java.util.function.Consumer;

/**
 * The items of a loop that one of several threads runs.
 *
 * @param items number of items
 * @param position of the thread, from 0
 * @param positions number of threads
 * @param node of the thread
 * @param counter name of the object that assigns chunks on request
 * @param server the node that serves it: of one of the threads
 * @param start number of the loop, larger than that of every earlier loop with this counter
 */
record Shares(
        int items,
        int position,
        int positions,
        DsmNode node,
        String counter,
        int server,
        long start) {
    /** Runs the items in chunks, each from the first (inclusive) to the last (exclusive). */
    void run(Schedule schedule, Consumer<Band> chunks) {
        int chunk = schedule.chunk();
        switch (schedule.kind()) {
            case BLOCK -> chunks.accept(Band.of(items, position, positions));
            case CYCLIC -> {
                long step = (long) chunk * positions;
                for (long from = (long) chunk * position; from < items; from += step) {
                    chunks.accept(new Band((int) from, (int) Math.min(items, from + chunk)));
                }
            }
            case DYNAMIC, GUIDED -> {
                LoopCounter served =
                        node.shipped(counter, LoopCounter.class, server, LoopCounter.Served::new);
                long next = served.next(start, items, schedule, positions);
                while (next != LoopCounter.NONE) {
                    chunks.accept(new Band((int) (next >> Integer.SIZE), (int) next));
                    next = served.next(start, items, schedule, positions);
                }
            }
        }
    }
}
