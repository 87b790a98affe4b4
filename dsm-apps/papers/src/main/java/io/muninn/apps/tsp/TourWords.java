package io.muninn.apps.tsp;

/** Converts tours to contents of messages: one word for every city. */
final class TourWords {
    private TourWords() {}

    static long[] of(int[] cities) {
        long[] words = new long[cities.length];
        for (int i = 0; i < cities.length; i++) {
            words[i] = cities[i];
        }
        return words;
    }

    /** The words of a tour: its length, then its cities. */
    static long[] of(int length, int[] cities) {
        long[] words = new long[1 + cities.length];
        words[0] = length;
        for (int i = 0; i < cities.length; i++) {
            words[1 + i] = cities[i];
        }
        return words;
    }

    /** The cities from word {@code from} on. */
    static int[] cities(long[] words, int from) {
        int[] cities = new int[words.length - from];
        for (int i = 0; i < cities.length; i++) {
            cities[i] = (int) words[from + i];
        }
        return cities;
    }
}
