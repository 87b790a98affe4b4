package io.muninn.pool;

/**
 * The variants of the map.
 *
 * @param listsAtTransition true if a page that has become weak is on the weak list of every mapper,
 *     that of its writer, and that of each node that maps it while it is weak, as in the paper;
 *     false if only nodes with older copies have a notice, so that a page's only writer keeps it
 * @param noticesMax publications with notices before the one that makes a page unsafe, at least 0
 * @param checksMax checks in a row that find no stale copy, until a page is safe again, at least 1
 */
public record PoolRules(boolean listsAtTransition, int noticesMax, int checksMax) {
    public PoolRules {
        if (noticesMax < 0 || checksMax < 1) {
            throw new IllegalArgumentException(
                    "a page is unsafe after some notices, and safe after at least 1 check, not "
                            + noticesMax
                            + " and "
                            + checksMax);
        }
    }
}
