package io.muninn.pool;

/**
 * Where the words of a coherent map are: three sets of nodes and a history of each page, then the
 * weak list of each node, then for each node a list of its frames that others have entered. A set
 * is a word for each 64 nodes. A list has a bit for each page, in leaves of 64 pages, and a summary
 * with a bit for each leaf.
 *
 * @param pages at least 1
 * @param nodes at least 1; of memory that nodes address, at most {@link #POOL_NODES_MAX}
 */
public record PoolLayout(int pages, int nodes) {
    /** Largest number of nodes of a map in shared memory: each set is one word there. */
    public static final int POOL_NODES_MAX = Long.SIZE;

    private static final int SETS = 3;

    public PoolLayout {
        if (pages < 1 || nodes < 1) {
            throw new IllegalArgumentException(
                    "a map of " + pages + " pages and " + nodes + " nodes: at least one of each");
        }
    }

    /** The number of words. */
    public int words() {
        return list(2 * nodes);
    }

    /** The number of words of a set of nodes. */
    int setWords() {
        return ceilDiv(nodes);
    }

    private int wordsOfPage() {
        return SETS * setWords() + 1;
    }

    /** Nodes with a mapping of a page, a bit each; the first word. */
    int mappers(int page) {
        return wordsOfPage() * page;
    }

    /** Mappers of a page that have published stores to it. */
    int writers(int page) {
        return mappers(page) + setWords();
    }

    /** Mappers whose copies may be older than a publication that sent no notices. */
    int stale(int page) {
        return mappers(page) + 2 * setWords();
    }

    /** A {@link PageHistory}. */
    int history(int page) {
        return mappers(page) + SETS * setWords();
    }

    /** Number of words of a summary. */
    int summaries() {
        return summaries(pages);
    }

    /** Number of words of a summary of the pages before {@code end}. */
    static int summaries(int end) {
        return ceilDiv(ceilDiv(end));
    }

    /** The number of the weak list of a node. */
    int weak(int node) {
        return node;
    }

    /** The number of the list of entered frames of a node. */
    int entered(int node) {
        return nodes + node;
    }

    /** The name of a list, in messages. */
    String name(int list) {
        return list < nodes
                ? "node " + list + "'s weak list"
                : "node " + (list - nodes) + "'s list of entered frames";
    }

    int summary(int list, int index) {
        return list(list) + index;
    }

    int leaf(int list, int index) {
        return list(list) + summaries() + index;
    }

    /** Number of words of a weak list without its summary. */
    int leaves() {
        return ceilDiv(pages);
    }

    /** The first word of a list. */
    int list(int number) {
        return wordsOfPage() * pages + number * (summaries() + leaves());
    }

    private static int ceilDiv(int bits) {
        return Math.ceilDiv(bits, Long.SIZE);
    }
}
