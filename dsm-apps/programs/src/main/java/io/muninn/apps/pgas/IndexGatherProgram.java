package io.muninn.apps.pgas;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.RemoteLongs;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.SplittableRandom;

/**
 * Every thread loads random words of a table whose pages belong to all nodes by turns, into an
 * array of its own, and then compares each with what the root has stored.
 *
 * <p>Source: the kernel {@code ig} of the collection bale, and {@code index gather} of Chapel's
 * aggregators.
 */
public final class IndexGatherProgram implements DsmProgram {
    /** Loads that are compared together. */
    private static final int CHUNK = 1 << 16;

    private static final int LOADED = 0;
    private static final int WRONG = 1;

    @Shared(home = Home.CYCLIC)
    private final RemoteLongs table;

    @Shared(home = Home.ROOT)
    private final RemoteLongs counts = RemoteLongs.of(2);

    private final int loads;
    private final boolean isAggregated;

    /**
     * @param words of the table
     * @param loads of every thread
     */
    public IndexGatherProgram(int words, int loads, boolean isAggregated) {
        this.table = RemoteLongs.of(words);
        this.loads = loads;
        this.isAggregated = isAggregated;
    }

    /** The value of a word. */
    private static long value(int index) {
        return index * 0x9E3779B97F4A7C15L + 1;
    }

    @Override
    public void initialize(DsmNode root) {
        long[] values = new long[Math.min(CHUNK, table.length())];
        for (int from = 0; from < table.length(); from += values.length) {
            int count = Math.min(values.length, table.length() - from);
            for (int i = 0; i < count; i++) {
                values[i] = value(from + i);
            }
            table.set(from, values, 0, count);
        }
    }

    @Override
    public void run(DsmNode node) {
        SplittableRandom random = HistogramProgram.indices(node.position());
        int[] indices = new int[Math.min(CHUNK, Math.max(1, loads))];
        long[] found = new long[indices.length];
        for (int done = 0; done < loads; done += indices.length) {
            int count = Math.min(indices.length, loads - done);
            for (int i = 0; i < count; i++) {
                indices[i] = random.nextInt(table.length());
            }
            gather(indices, found, count);
            compare(indices, found, count);
        }
        node.work(loads);
    }

    private void gather(int[] indices, long[] found, int count) {
        if (isAggregated) {
            try (RemoteLongs.Aggregator collected = table.aggregator()) {
                for (int i = 0; i < count; i++) {
                    collected.get(indices[i], found, i);
                }
            }
        } else {
            for (int i = 0; i < count; i++) {
                found[i] = table.get(indices[i]);
            }
        }
    }

    private void compare(int[] indices, long[] found, int count) {
        int wrong = 0;
        for (int i = 0; i < count; i++) {
            wrong += found[i] == value(indices[i]) ? 0 : 1;
        }
        counts.add(LOADED, count);
        counts.add(WRONG, wrong);
    }

    @Override
    public Verdict verify(DsmNode root) {
        long expected = (long) loads * root.positions();
        long loaded = counts.get(LOADED);
        long wrong = counts.get(WRONG);
        String text = loaded + " words loaded, " + wrong + " of them wrong";
        return loaded == expected && wrong == 0
                ? Verdict.right(text)
                : Verdict.wrong(text + "; expected " + expected);
    }
}
