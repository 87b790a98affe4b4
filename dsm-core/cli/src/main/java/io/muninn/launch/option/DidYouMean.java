package io.muninn.launch.option;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests a known word for an unknown one. */
public final class DidYouMean {
    private DidYouMean() {}

    /**
     * Returns the known word with the fewest changed letters: at most a third of the word's, but
     * one is always allowed.
     */
    public static Optional<String> of(String word, Collection<String> known) {
        int allowed = Math.max(1, word.length() / 3);
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= allowed)
                .min(
                        Comparator.<String>comparingInt(candidate -> distance(word, candidate))
                                .thenComparing(Comparator.naturalOrder()));
    }

    /**
     * The number of insertions, deletions, replacements and swaps of neighbours that turn one word
     * into the other.
     */
    static int distance(String from, String to) {
        int[][] rows = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                rows[i][j] = Math.min(i, j) == 0 ? Math.max(i, j) : distance(from, to, i, j, rows);
            }
        }
        return rows[from.length()][to.length()];
    }

    /**
     * The distance of the first {@code i} and {@code j} letters, both at least 1, from those of
     * shorter prefixes.
     */
    private static int distance(String from, String to, int i, int j, int[][] rows) {
        int replaced = rows[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int least = Math.min(replaced, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
        boolean swapped =
                i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1);
        return swapped ? Math.min(least, rows[i - 2][j - 2] + 1) : least;
    }
}
