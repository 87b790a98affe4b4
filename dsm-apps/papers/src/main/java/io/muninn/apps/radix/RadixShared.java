package io.muninn.apps.radix;

import io.muninn.api.Band;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.Prefetching;

/**
 * RADIX over shared memory: two arrays of keys, alternately source and target of a pass, and the
 * counts of all threads. Each pass has two barriers: after <em>counted</em> the counts are
 * complete, after <em>moved</em> the keys.
 *
 * <p>With prefetches, a thread prefetches its keys a page ahead, and the target page of a key some
 * keys ahead, once per page and digit. With several threads per node every second prefetch of a
 * target page is omitted.
 *
 * <p>Source: Mowry §3.2 (software pipelining), §5.1 (every other prefetch).
 */
final class RadixShared implements DsmProgram {
    /** Keys of a page. */
    private static final int PAGE = 4096 / Integer.BYTES;

    @Shared(Protocol.LAZY)
    private final IntArray keys;

    @Shared(Protocol.LAZY)
    private final IntArray moved;

    private final RadixDigits digits;
    private final Prefetching prefetching;

    RadixShared(RadixDigits digits, Prefetching prefetching) {
        this.digits = digits;
        this.prefetching = prefetching;
        keys = IntArray.of(digits.keys());
        moved = IntArray.of(digits.keys());
    }

    @Override
    public void initialize(DsmNode root) {
        for (int i = 0; i < digits.keys(); i++) {
            keys.set(i, digits.input(i));
        }
    }

    @Override
    public void run(DsmNode node) {
        IntArray counts =
                node.allocate(
                        "counts", IntArray.of(node.positions() * digits.radix()), Protocol.LAZY);
        DsmBarrier counted = node.barrier("counted");
        DsmBarrier complete = node.barrier("moved");
        Band band = digits.band(node.position(), node.positions());
        int[] all = new int[counts.length()];
        for (int pass = 0; pass < digits.passes(); pass++) {
            int[] mine = load(pass % 2 == 0 ? keys : moved, band);
            int radix = digits.radix();
            counts.copyFrom(node.position() * radix, digits.count(mine, pass), 0, radix);
            node.work((long) RadixDigits.COUNT_UNITS * mine.length);
            counted.await();
            counts.copyTo(0, all, 0, all.length);
            node.work(all.length);
            move(node, mine, pass, digits.places(all, node.position()));
            complete.await();
        }
    }

    private int[] load(IntArray source, Band band) {
        int[] mine = new int[band.length()];
        for (int from = band.from(); from < band.to(); ) {
            int to = Math.min(band.to(), (from / PAGE + 1) * PAGE);
            if (prefetching.isOn()) {
                source.prefetch(to, Math.min(band.to(), to + PAGE));
            }
            source.copyTo(from, mine, from - band.from(), to - from);
            from = to;
        }
        return mine;
    }

    private void move(DsmNode node, int[] mine, int pass, int[] places) {
        IntArray target = pass % 2 == 0 ? moved : keys;
        Ahead ahead = new Ahead(node, target, mine, pass, places);
        ahead.prefetch(0, prefetching.distance());
        for (int i = 0; i < mine.length; i++) {
            ahead.prefetch(i + prefetching.distance(), i + prefetching.distance() + 1);
            target.set(places[digits.digit(mine[i], pass)]++, mine[i]);
        }
        node.work((long) RadixDigits.MOVE_UNITS * mine.length);
    }

    /** The prefetches of one pass of a thread. */
    private final class Ahead {
        private final IntArray target;
        private final int[] mine;
        private final int pass;

        /** By digit, the place of the next key; updated by the move. */
        private final int[] places;

        /** By digit, one more than the page that was prefetched last. */
        private final int[] asked;

        private final boolean isThrottled;
        private int count;

        Ahead(DsmNode node, IntArray target, int[] mine, int pass, int[] places) {
            this.target = target;
            this.mine = mine;
            this.pass = pass;
            this.places = places;
            asked = new int[digits.radix()];
            isThrottled = node.threads() > 1;
        }

        /** Prefetches the target pages of keys {@code from} to {@code to}, as far as they exist. */
        void prefetch(int from, int to) {
            if (!prefetching.isOn()) {
                return;
            }
            for (int i = from; i < Math.min(to, mine.length); i++) {
                int digit = digits.digit(mine[i], pass);
                int place = Math.min(places[digit], digits.keys() - 1);
                int page = place / PAGE + 1;
                if (asked[digit] != page) {
                    asked[digit] = page;
                    count++;
                    if (!isThrottled || count % 2 == 1) {
                        target.prefetch(place, place + 1L, Mode.WRITE);
                    }
                }
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        int[] sorted = new int[digits.keys()];
        (digits.passes() % 2 == 0 ? keys : moved).copyTo(0, sorted, 0, sorted.length);
        return RadixSequential.verify(digits, RadixSequential.numbers(sorted));
    }
}
