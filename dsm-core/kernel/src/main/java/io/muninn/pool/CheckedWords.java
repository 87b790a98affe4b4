package io.muninn.pool;

/**
 * The words of a map in memory that others could overwrite: a word with a value that no operation
 * of {@link CoherentMap} leaves, at any moment, is noticed when it is read.
 *
 * <p><b>What is noticed.</b> Bits of nodes that the run does not have, among mappers, writers and
 * stale mappers; a history that no page has; notices of pages that the pool does not have. {@link
 * MapAudit} compares the words with what a node knows.
 *
 * <p><b>What is not.</b> Bits of existing nodes have no second copy. More of them cause work alone:
 * notices that nobody needs. Without a bit of a <i>writer</i> nobody loads an old value, because a
 * publisher looks at the mappers. A bit of a <i>mapper</i> that is cleared while the node has a
 * copy keeps notices from it; the node sees that when it next publishes, checks or leaves the page,
 * and at the end of the run. A bit of a <i>notice</i> or of a <i>stale mapper</i> that is cleared
 * lets the node keep an old copy, and so does a page that is declared unsafe and settled while
 * mappers do not check it: nothing notices that but the program's verification of its result.
 *
 * <p><b>Errors.</b> {@link BrokenMapException}. A word that is changed in the same operation has
 * the new bits then.
 *
 * <p><b>Threads.</b> As the words.
 */
public final class CheckedWords implements PoolWords {
    private static final String[] NAMES = {"mappers", "writers", "stale", "history"};
    private static final int HISTORY = 3;

    private final PoolLayout layout;
    private final PoolRules rules;
    private final PoolWords words;
    private final long nodes; // a bit each
    private final int lists; // the first word of the weak lists

    public CheckedWords(PoolLayout layout, PoolRules rules, PoolWords words) {
        if (layout.nodes() > PoolLayout.POOL_NODES_MAX) {
            throw new IllegalArgumentException(
                    "a pool of "
                            + layout.nodes()
                            + " nodes; it has 1 to "
                            + PoolLayout.POOL_NODES_MAX);
        }
        this.layout = layout;
        this.rules = rules;
        this.words = words;
        this.nodes = first(layout.nodes());
        this.lists = layout.list(0);
    }

    @Override
    public long get(int word) {
        return checked(word, words.get(word));
    }

    @Override
    public long getAndOr(int word, long bits) {
        return checked(word, words.getAndOr(word, bits));
    }

    @Override
    public long getAndAnd(int word, long bits) {
        return checked(word, words.getAndAnd(word, bits));
    }

    @Override
    public long getAndSet(int word, long value) {
        return checked(word, words.getAndSet(word, value));
    }

    @Override
    public boolean compareAndSet(int word, long expected, long value) {
        return words.compareAndSet(word, expected, value);
    }

    private long checked(int word, long value) {
        if (word >= lists) {
            checkList(word, value);
        } else if (word % NAMES.length == HISTORY) {
            checkHistory(word, value);
        } else if ((value & ~nodes) != 0) {
            throw ofPage(word, value, "with node " + firstOf(value & ~nodes) + ", and " + nodes());
        }
        return value;
    }

    private void checkHistory(int word, long value) {
        if (!PageHistory.isPossible(value, rules)) {
            throw ofPage(word, value, "which no page with at most " + limits() + " has");
        }
    }

    private String limits() {
        return rules.noticesMax() + " notices and " + (rules.checksMax() - 1) + " checks";
    }

    private void checkList(int word, long value) {
        int words = layout.list(1) - lists;
        int list = (word - lists) / words;
        int index = (word - lists) % words;
        boolean isLeaf = index >= layout.summaries();
        int first = Long.SIZE * (isLeaf ? index - layout.summaries() : index);
        int count = isLeaf ? layout.pages() : layout.leaves();
        long beyond = value & ~first(count - first);
        if (beyond != 0) {
            throw BrokenMapException.ofList(
                    layout.name(list),
                    isLeaf ? "leaves" : "summary",
                    first / Long.SIZE,
                    value,
                    "with bit "
                            + firstOf(beyond)
                            + ", and the pool has "
                            + layout.pages()
                            + " pages");
        }
    }

    private static BrokenMapException ofPage(int word, long value, String reason) {
        return BrokenMapException.ofPage(
                word / NAMES.length, NAMES[word % NAMES.length], value, reason);
    }

    private String nodes() {
        return "the run has " + layout.nodes() + " nodes";
    }

    /** A word with the first bits, all from 64 on. */
    private static long first(int bits) {
        return bits >= Long.SIZE ? -1L : (1L << bits) - 1;
    }

    private static int firstOf(long bits) {
        return Long.numberOfTrailingZeros(bits);
    }
}
