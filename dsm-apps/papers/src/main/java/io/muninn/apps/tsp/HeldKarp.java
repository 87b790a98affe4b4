package io.muninn.apps.tsp;

import java.util.Arrays;

/**
 * The oracle: computes the length of the shortest tour by dynamic programming over sets of cities.
 * It shares no code with the search.
 *
 * <p>Source: Held and Karp, "A Dynamic Programming Approach to Sequencing Problems", Journal of the
 * Society for Industrial and Applied Mathematics 10(1), 1962.
 */
final class HeldKarp {
    private static final int FAR = Integer.MAX_VALUE / 2;

    private HeldKarp() {}

    /** Takes 2^(cities - 1) * cities^2 steps and 4 * 2^(cities - 1) * cities bytes. */
    static int shortest(TspInstance instance) {
        int others = instance.cities() - 1;
        if (others == 0) {
            return 0;
        }
        int[] paths =
                new int[others * (1 << others)]; // length from city 0 through a set, by last city
        Arrays.fill(paths, FAR);
        for (int city = 0; city < others; city++) {
            paths[(1 << city) * others + city] = instance.distance(0, city + 1);
        }
        int[] distances = distancesOfOthers(instance, others);
        for (int set = 1; set < 1 << others; set++) {
            for (int last = 0; last < others; last++) {
                if ((set & 1 << last) != 0 && paths[set * others + last] < FAR) {
                    extend(paths, distances, set, last, others);
                }
            }
        }
        int shortest = FAR;
        int all = (1 << others) - 1;
        for (int last = 0; last < others; last++) {
            int length = paths[all * others + last] + instance.distance(last + 1, 0);
            shortest = Math.min(shortest, length);
        }
        return shortest;
    }

    private static int[] distancesOfOthers(TspInstance instance, int others) {
        int[] distances = new int[others * others];
        for (int from = 0; from < others; from++) {
            for (int to = 0; to < others; to++) {
                distances[from * others + to] = instance.distance(from + 1, to + 1);
            }
        }
        return distances;
    }

    private static void extend(int[] paths, int[] distances, int set, int last, int others) {
        int length = paths[set * others + last];
        for (int city = 0; city < others; city++) {
            if ((set & 1 << city) == 0) {
                int at = (set | 1 << city) * others + city;
                paths[at] = Math.min(paths[at], length + distances[last * others + city]);
            }
        }
    }
}
