package io.muninn.bench.live;

import io.muninn.api.DsmNode;
import io.muninn.apps.Turns;
import io.muninn.bench.series.Series;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * Has all nodes repeat an operation equally often: until it has settled on the root, then as often
 * as is asked for. Between batches of rounds the root tells the others by messages, which touch no
 * page.
 *
 * <p>Where the environment says that {@linkplain Turns turns} are taken, each batch that counts is
 * one: all nodes wait for it, and behind the last one the root waits for the turns of others.
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
            Optional.empty(); // the root's, from the first batch that counts

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

    /** The other nodes go on when they are told that it is the root's turn. */
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
     * Whether it is the first after the warm-up: the root sends no messages from here on, if it
     * takes no turns.
     */
    boolean isFirst() {
        return counting == 1;
    }

    /** So far, warm-up included. */
    int count() {
        return count;
    }
}
