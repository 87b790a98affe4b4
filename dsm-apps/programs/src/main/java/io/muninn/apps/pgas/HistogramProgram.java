package io.muninn.apps.pgas;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.RemoteLongs;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.SplittableRandom;

/**
 * Every thread adds 1 to random words of a table whose pages belong to all nodes by turns. The root
 * repeats all updates by itself to verify each word.
 *
 * <p>Source: the kernel {@code histo} of the collection bale, and {@code histogram} of Chapel's
 * aggregators.
 */
public final class HistogramProgram implements DsmProgram {
    @Shared(home = Home.CYCLIC)
    private final RemoteLongs table;

    private final int updates;
    private final boolean isAggregated;

    /**
     * @param words of the table
     * @param updates of every thread
     */
    public HistogramProgram(int words, int updates, boolean isAggregated) {
        this.table = RemoteLongs.of(words);
        this.updates = updates;
        this.isAggregated = isAggregated;
    }

    /** The words that a thread updates. */
    static SplittableRandom indices(int position) {
        return new SplittableRandom(0x9E3779B9L + position);
    }

    @Override
    public void run(DsmNode node) {
        SplittableRandom random = indices(node.position());
        if (isAggregated) {
            try (RemoteLongs.Aggregator collected = table.aggregator()) {
                for (int i = 0; i < updates; i++) {
                    collected.add(random.nextInt(table.length()), 1);
                }
            }
        } else {
            for (int i = 0; i < updates; i++) {
                table.add(random.nextInt(table.length()), 1);
            }
        }
        node.work(updates);
    }

    @Override
    public Verdict verify(DsmNode root) {
        long[] expected = new long[table.length()];
        for (int position = 0; position < root.positions(); position++) {
            SplittableRandom random = indices(position);
            for (int i = 0; i < updates; i++) {
                expected[random.nextInt(expected.length)]++;
            }
        }
        long[] found = new long[table.length()];
        table.get(0, found, 0, found.length);
        for (int i = 0; i < found.length; i++) {
            if (found[i] != expected[i]) {
                return Verdict.wrong("word " + i + " is " + found[i] + "; expected " + expected[i]);
            }
        }
        return Verdict.right(
                "all "
                        + (long) updates * root.positions()
                        + " updates of "
                        + found.length
                        + " words are counted");
    }
}
