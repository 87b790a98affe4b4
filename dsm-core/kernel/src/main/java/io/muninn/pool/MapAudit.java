package io.muninn.pool;

/**
 * Compares the words of a map with what a node knows of its own copies.
 *
 * <p><b>Errors.</b> {@link BrokenMapException}.
 *
 * <p><b>Threads.</b> Any.
 */
public final class MapAudit {
    private final PoolLayout layout;
    private final PoolWords words;

    /**
     * @param words checked ones
     */
    public MapAudit(PoolLayout layout, CheckedWords words) {
        this.layout = layout;
        this.words = words;
    }

    /** Reads the words of a page. */
    public void page(int page) {
        words.get(layout.mappers(page));
        words.get(layout.writers(page));
        words.get(layout.stale(page));
        words.get(layout.history(page));
    }

    /** Checks that a node that has a copy of a page is among its mappers. */
    public void mapper(int node, int page) {
        long mappers = words.get(layout.mappers(page));
        if ((mappers >>> node & 1) == 0) {
            throw BrokenMapException.ofPage(
                    page, "mappers", mappers, "without node " + node + ", which has a copy");
        }
    }

    /**
     * Checks that the lists of a node have nothing that it would not find when it takes them. No
     * node may be publishing or entering a page.
     *
     * @param end no page from here on is in use
     */
    public void lists(int node, int end) {
        list(layout.weak(node), end);
        list(layout.entered(node), end);
    }

    private void list(int list, int end) {
        for (int leaf = 0; leaf * Long.SIZE < end; leaf++) {
            long pages = words.get(layout.leaf(list, leaf));
            long summary = words.get(layout.summary(list, leaf / Long.SIZE));
            if (pages != 0 && (summary >>> leaf & 1) == 0) {
                throw BrokenMapException.ofList(
                        layout.name(list),
                        "leaves",
                        leaf,
                        pages,
                        "and the summary does not announce it");
            }
        }
    }
}
