package io.muninn.apps.radix;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Digits, the places of keys, and what is said of keys that are not sorted. */
class RadixDigitsTest {
    private static final RadixDigits DIGITS = new RadixDigits(100, 1000, 4);

    @Test
    void digits_areAllBitsOfAKey() {
        assertEquals(3, DIGITS.passes());
        assertEquals(0x7, DIGITS.digit(0x3a7, 0));
        assertEquals(0xa, DIGITS.digit(0x3a7, 1));
        assertEquals(0x3, DIGITS.digit(0x3a7, 2));
        assertEquals(2, new RadixDigits(1, 257, 8).passes());
        assertEquals(1, new RadixDigits(1, 256, 8).passes());
        assertEquals(1, new RadixDigits(1, 1, 8).passes());
        assertEquals(8, new RadixDigits(1, Integer.MAX_VALUE, 4).passes());
    }

    @Test
    void places_followDigitsThenThreads() {
        RadixDigits binary = new RadixDigits(10, 2, 1);
        int[] counts = {2, 1, 0, 3, 1, 3}; // threads 0, 1, 2: how many 0s, how many 1s
        assertArrayEquals(new int[] {0, 3}, binary.places(counts, 0));
        assertArrayEquals(new int[] {2, 4}, binary.places(counts, 1));
        assertArrayEquals(new int[] {2, 7}, binary.places(counts, 2));
    }

    @Test
    void verdict_refusesKeysInDisorderAndOtherKeys() {
        double[] sorted = new double[100];
        Arrays.setAll(sorted, DIGITS::input);
        assertFalse(RadixSequential.verify(DIGITS, sorted).right());
        Arrays.sort(sorted);
        assertTrue(RadixSequential.verify(DIGITS, sorted).right());
        assertFalse(RadixSequential.verify(DIGITS, Arrays.copyOf(sorted, 99)).right());
        sorted[50] = sorted[49];
        sorted[51] = sorted[49];
        assertFalse(RadixSequential.verify(DIGITS, sorted).right());
    }

    @Test
    void inputs_areBelowTheLimit() {
        for (int i = 0; i < 1000; i++) {
            int key = DIGITS.input(i);
            assertTrue(key >= 0 && key < 1000, () -> "key " + key);
        }
    }
}
