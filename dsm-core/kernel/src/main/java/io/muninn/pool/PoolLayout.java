package io.muninn.pool;

/**
 * Where the words of a coherent map are: four of each page, then the weak list of each node, then
 * for each node a list of its frames that others have entered. A list has a bit for each page, in
 * leaves of 64 pages, and a summary with a bit for each leaf.
 *
 * @param pages at least 1
 * @param nodes 1 to 64
 */
public record PoolLayout(int pages, int nodes) {
    private static final int WORDS_OF_PAGE = 4;

    public PoolLayout {
        if (pages < 1 || nodes < 1 || nodes > Long.SIZE) {
            throw new IllegalArgumentException(
                    "a pool of " + pages + " pages and " + nodes + " nodes; it has 1 to 64 nodes");
        }
    }

    /** The number of words. */
    public int words() {
        return list(2 * nodes);
    }

    /** Nodes with a mapping of a page, a bit each. */
    int mappers(int page) {
        return WORDS_OF_PAGE * page;
    }

    /** Mappers of a page that have published stores to it. */
    int writers(int page) {
        return WORDS_OF_PAGE * page + 1;
    }

    /** Mappers whose copies may be older than a publication that sent no notices. */
    int stale(int page) {
        return WORDS_OF_PAGE * page + 2;
    }

    /** A {@link PageHistory}. */
    int history(int page) {
        return WORDS_OF_PAGE * page + 3;
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
        return WORDS_OF_PAGE * pages + number * (summaries() + leaves());
    }

    private static int ceilDiv(int bits) {
        return Math.ceilDiv(bits, Long.SIZE);
    }
}
