package io.muninn.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Waits as numbers, without an object for each: a recorder meets hundreds of thousands.
 *
 * <p><b>Shape.</b> Each has {@link #WORDS} words: thread and kind, region and index, begin, length,
 * and the two sums of {@link TimeLine.Kept}. A wait that is only noted has zeros there.
 */
final class KeptWaits {
    private static final int WORDS = 6;
    private static final int REGION = 1;
    private static final int BEGIN = 2;
    private static final int NANOS = 3;
    private static final int PAGE_NANOS = 4;
    private static final int OTHER_NANOS = 5;
    private static final int KIND_BITS = 8;
    private static final WaitKind[] KINDS = WaitKind.values();

    private long[] words;
    private int size;

    /**
     * @param capacity to begin with
     */
    KeptWaits(int capacity) {
        words = new long[capacity * WORDS];
    }

    int size() {
        return size;
    }

    void clear() {
        size = 0;
    }

    /** Adds a wait. */
    void add(int thread, WaitKind kind, int region, int about, long beginNanos, long nanos) {
        int at = room();
        words[at] = (long) thread << KIND_BITS | kind.ordinal();
        words[at + REGION] = (long) region << Integer.SIZE | about & 0xFFFF_FFFFL;
        words[at + BEGIN] = beginNanos;
        words[at + NANOS] = nanos;
        words[at + PAGE_NANOS] = 0;
        words[at + OTHER_NANOS] = 0;
    }

    /** Adds a wait of others, with other times. */
    void add(
            KeptWaits others,
            int index,
            long beginNanos,
            long nanos,
            long pageNanos,
            long otherNanos) {
        int at = room();
        words[at] = others.words[index * WORDS];
        words[at + REGION] = others.words[index * WORDS + REGION];
        words[at + BEGIN] = beginNanos;
        words[at + NANOS] = nanos;
        words[at + PAGE_NANOS] = pageNanos;
        words[at + OTHER_NANOS] = otherNanos;
    }

    private int room() {
        int at = size++ * WORDS;
        if (at == words.length) {
            words = Arrays.copyOf(words, Math.max(WORDS, 2 * at));
        }
        return at;
    }

    int thread(int index) {
        return (int) (words[index * WORDS] >> KIND_BITS);
    }

    WaitKind kind(int index) {
        return KINDS[(int) words[index * WORDS] & (1 << KIND_BITS) - 1];
    }

    long beginNanos(int index) {
        return words[index * WORDS + BEGIN];
    }

    long nanos(int index) {
        return words[index * WORDS + NANOS];
    }

    /**
     * Keeps the longest waits; of those as long as the shortest that are kept, the earlier ones.
     */
    long keepLongest(int count) {
        long[] lengths = new long[size];
        for (int i = 0; i < size; i++) {
            lengths[i] = nanos(i);
        }
        Arrays.sort(lengths);
        long leastNanos = lengths[size - count];
        int left = count; // of those that are just as long
        for (long length : lengths) {
            left -= length > leastNanos ? 1 : 0;
        }
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (nanos(i) > leastNanos || nanos(i) == leastNanos && left-- > 0) {
                System.arraycopy(words, i * WORDS, words, kept * WORDS, WORDS);
                kept++;
            }
        }
        size = kept;
        return leastNanos;
    }

    /** The same as objects. */
    List<TimeLine.Kept> list() {
        List<TimeLine.Kept> all = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            int at = i * WORDS;
            all.add(
                    new TimeLine.Kept(
                            thread(i),
                            kind(i),
                            (int) (words[at + REGION] >> Integer.SIZE),
                            (int) words[at + REGION],
                            beginNanos(i),
                            nanos(i),
                            words[at + PAGE_NANOS],
                            words[at + OTHER_NANOS]));
        }
        return all;
    }
}
