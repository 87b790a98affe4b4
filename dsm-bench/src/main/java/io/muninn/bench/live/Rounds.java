package io.muninn.bench.live;

import io.muninn.api.DsmNode;
import io.muninn.apps.Turns;
import io.muninn.bench.series.Series;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Makes all nodes repeat an operation equally often: until it has settled on the root, then for the
 * requested number of samples. Between batches of rounds the root notifies the others by messages,
 * which access no page.
 *
 * <p>If the environment requests {@linkplain Turns turns}, each measured batch is one turn: all
 * nodes wait for it. After the last one the root waits for the turns of other processes.
 */
final class Rounds {
    private static final int TAG = 78;

    private final DsmNode node;
    private final List<Series> series;
    private final int operations;
    private final int batchRounds;
    private int count;
    private int counting;
    private Optional<Turns> turns =
            Optional.empty(); // present on the root from the first measured batch on

    /**
     * @param operations operations of each series in a round
     * @param series series with the same number of samples; the root's decide when the warm-up ends
     */
    Rounds(DsmNode node, int operations, Series... series) {
        this.node = node;
        this.operations = operations;
        this.series = List.of(series);
        batchRounds = Math.ceilDiv(series[0].batchOperations(), operations);
    }

    /** Begins the next round; returns false if there is none. Collective. */
    boolean next() {
        if (!hasBegun()) {
            if (count > 0 && count % batchRounds == 0 && isWarm()) {
                series.forEach(Series::begin);
            }
        } else if (counting * operations >= series.getFirst().samples()) {
            turns.ifPresent(Turns::passLast);
            turns.ifPresent(Turns::close);
            return false;
        }
        if (hasBegun()) {
            if (Turns.areTaken() && counting % batchRounds == 0) {
                awaitTurn();
            }
            counting++;
        }
        count++;
        return true;
    }

    private boolean hasBegun() {
        return series.getFirst().hasBegun();
    }

    private boolean isWarm() {
        return toldByRoot(series.stream().allMatch(Series::isWarm) ? 1 : 0) != 0;
    }

    /** Waits for the root's turn on all nodes: the root notifies the others. */
    private void awaitTurn() {
        if (node.isRoot()) {
            turns.ifPresentOrElse(Turns::pass, () -> turns = Turns.ofEnvironment());
            turns.ifPresent(Turns::await);
        }
        toldByRoot(counting);
    }

    private long toldByRoot(long number) {
        long[] told = {number};
        node.messages().broadcast(0, TAG, MemorySegment.ofArray(told));
        return told[0];
    }

    /**
     * Whether this is the first round after the warm-up. The root sends no messages from here on,
     * unless it takes turns.
     */
    boolean isFirst() {
        return counting == 1;
    }

    /** Number of rounds so far, including warm-up. */
    int count() {
        return count;
    }
}
