package io.muninn.bench.live;

import io.muninn.api.DsmNode;
import io.muninn.bench.series.Series;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Has all nodes repeat an operation equally often: until it has settled on the root, then as often
 * as is asked for. Between batches of rounds the root tells the others by messages, which touch no
 * page.
 */
final class Rounds {
    private static final int TAG = 78;

    private final DsmNode node;
    private final List<Series> series;
    private final int operations;
    private final int batchRounds;
    private int count;
    private int counting;

    /**
     * @param operations of each series in a round
     * @param series of the same number of samples; every node has them, the root's decide
     */
    Rounds(DsmNode node, int operations, Series... series) {
        this.node = node;
        this.operations = operations;
        this.series = List.of(series);
        batchRounds = Math.ceilDiv(series[0].batchOperations(), operations);
    }

    /** Whether there is another one. Collective. */
    boolean next() {
        if (!hasBegun()) {
            if (count > 0 && count % batchRounds == 0 && isWarm()) {
                series.forEach(Series::begin);
            }
        } else if (counting * operations >= series.getFirst().samples()) {
            return false;
        }
        if (hasBegun()) {
            counting++;
        }
        count++;
        return true;
    }

    private boolean hasBegun() {
        return series.getFirst().hasBegun();
    }

    private boolean isWarm() {
        long[] warm = {series.stream().allMatch(Series::isWarm) ? 1 : 0};
        node.messages().broadcast(0, TAG, MemorySegment.ofArray(warm));
        return warm[0] != 0;
    }

    /** Whether it is the first after the warm-up: the root sends no messages from here on. */
    boolean isFirst() {
        return counting == 1;
    }

    /** So far, warm-up included. */
    int count() {
        return count;
    }
}
