package io.muninn.spi;

/**
 * What acquires invalidate on a node with several processes, under home-based pages; the same on
 * every node.
 *
 * <p>Source: Bilas, Iftode, Samanta, Singh, "Supporting a coherent shared address space across SMP
 * nodes", sections 2 and 3.2.2.
 */
public enum Views {
    /** The node has one view: an acquire invalidates pages for all of its processes. */
    OF_NODE("node", "one view per node"),
    /**
     * Each process has a view: an acquire invalidates pages for the acquiring process only. The
     * fetch of a page takes it from all processes of the node.
     */
    TAKING("take", "a view per process, fetches take pages"),
    /**
     * Each process has a view, and the fetch of a page leaves it to the processes that may use it:
     * the image is merged with their stores.
     */
    MERGING("merge", "a view per process, fetches merge pages");

    /** The views of several processes in a run without options. */
    static final Views USUAL = MERGING;

    private final String word;
    private final String text;

    Views(String word, String text) {
        this.word = word;
        this.text = text;
    }

    /** Its name on command lines. */
    public String word() {
        return word;
    }

    /** The rule as text, for messages and for nodes that compare their rules. */
    String text() {
        return text;
    }
}
