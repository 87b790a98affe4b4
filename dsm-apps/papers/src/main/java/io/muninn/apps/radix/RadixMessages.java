package io.muninn.apps.radix;

import io.muninn.api.Band;
import io.muninn.api.DsmNode;
import io.muninn.apps.Exchange;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * RADIX with messages: each thread has its share of the keys. In a pass every thread sends its
 * counts to all threads, and then each key to the owner of its place. A receiver computes the
 * places of keys from all counts, so that only keys are sent.
 */
final class RadixMessages {
    private final RadixDigits digits;
    private final DsmNode node;
    private final Exchange exchange;
    private final int positions;
    private final int self;

    private RadixMessages(RadixDigits digits, DsmNode node) {
        this.digits = digits;
        this.node = node;
        this.exchange = new Exchange(node);
        this.positions = node.positions();
        this.self = node.position();
    }

    static double[] sort(RadixDigits digits, DsmNode node) {
        RadixMessages part = new RadixMessages(digits, node);
        Band band = digits.band(part.self, part.positions);
        int[] mine = new int[band.length()];
        Arrays.setAll(mine, i -> digits.input(band.from() + i));
        for (int pass = 0; pass < digits.passes(); pass++) {
            mine = part.pass(mine, pass);
        }
        return part.collect(mine);
    }

    private int[] pass(int[] mine, int pass) {
        int radix = digits.radix();
        int[] counts = new int[positions * radix];
        MemorySegment[] parts = new MemorySegment[positions];
        for (int i = 0; i < positions; i++) {
            parts[i] =
                    MemorySegment.ofArray(counts)
                            .asSlice(
                                    (long) i * radix * Integer.BYTES, (long) radix * Integer.BYTES);
        }
        exchange.share(MemorySegment.ofArray(digits.count(mine, pass)), parts);
        node.work((long) RadixDigits.COUNT_UNITS * mine.length + counts.length);
        int[] moved = swap(counts, byDigit(mine, pass));
        node.work((long) RadixDigits.MOVE_UNITS * mine.length);
        return moved;
    }

    /** Keys in the order of the digits of a pass. */
    private int[] byDigit(int[] mine, int pass) {
        int[] next = digits.places(digits.count(mine, pass), 0);
        int[] sorted = new int[mine.length];
        for (int key : mine) {
            sorted[next[digits.digit(key, pass)]++] = key;
        }
        return sorted;
    }

    private int[] swap(int[] counts, int[] sorted) {
        int[][] out = new int[positions][];
        int[][] in = new int[positions][];
        int next = 0;
        Band[] bands = new Band[positions];
        Arrays.setAll(bands, i -> digits.band(i, positions));
        for (int other = 0; other < positions; other++) {
            // places ascend with digits, so keys for each thread follow those for the previous
            // thread
            int length = count(counts, self, bands[other]);
            out[other] = Arrays.copyOfRange(sorted, next, next + length);
            in[other] = new int[count(counts, other, bands[self])];
            next += length;
        }
        exchange.swap(parts(out), parts(in));
        int[] moved = new int[bands[self].length()];
        for (int other = 0; other < positions; other++) {
            place(counts, other, bands[self], in[other], moved);
        }
        return moved;
    }

    private static MemorySegment[] parts(int[][] arrays) {
        return Arrays.stream(arrays).map(MemorySegment::ofArray).toArray(MemorySegment[]::new);
    }

    /** The number of a thread's keys whose places are in a band. */
    private int count(int[] counts, int position, Band band) {
        int[] places = digits.places(counts, position);
        int sum = 0;
        for (int digit = 0; digit < places.length; digit++) {
            int end = places[digit] + counts[position * places.length + digit];
            sum += Math.max(0, Math.min(end, band.to()) - Math.max(places[digit], band.from()));
        }
        return sum;
    }

    /** Stores the keys of a thread, which are in order of place, at their places in a band. */
    private void place(int[] counts, int position, Band band, int[] keys, int[] target) {
        int[] places = digits.places(counts, position);
        int next = 0;
        for (int digit = 0; digit < places.length; digit++) {
            int end = places[digit] + counts[position * places.length + digit];
            for (int at = Math.max(places[digit], band.from());
                    at < Math.min(end, band.to());
                    at++) {
                target[at - band.from()] = keys[next++];
            }
        }
    }

    private double[] collect(int[] mine) {
        int[][] in = new int[positions][];
        Arrays.setAll(in, i -> new int[self == 0 ? digits.band(i, positions).length() : 0]);
        exchange.collect(MemorySegment.ofArray(mine), parts(in));
        return self == 0
                ? RadixSequential.numbers(Arrays.stream(in).flatMapToInt(Arrays::stream).toArray())
                : new double[0];
    }
}
