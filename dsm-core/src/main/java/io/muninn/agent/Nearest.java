package io.muninn.agent;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** What a user may have meant by a word that is not known. */
final class Nearest {
    private Nearest() {}

    /**
     * The known word with the fewest changed letters, if they are at most a third of the word's and
     * at least one is allowed.
     */
    static Optional<String> of(String word, Collection<String> known) {
        int allowed = Math.max(1, word.length() / 3);
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= allowed)
                .min(
                        Comparator.<String>comparingInt(candidate -> distance(word, candidate))
                                .thenComparing(Comparator.naturalOrder()));
    }

    /** Insertions, deletions and replacements of one letter that make one word the other. */
    static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
