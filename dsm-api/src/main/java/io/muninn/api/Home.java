package io.muninn.api;

/**
 * Which node is the home of each page of a variable. A home receives the stores of all nodes and
 * answers those that need the page, so a page is cheapest for its home. Choose the home that stores
 * most. A poor choice costs messages but never correctness.
 *
 * <p>Protocols without homes ignore it.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, "Supporting a Coherent Shared Address Space Across
 * SMP Nodes", section 2.
 */
public enum Home {
    /**
     * Contiguous bands in order of node, whose lengths differ by at most one page: of {@code pages}
     * pages, page {@code i} belongs to node {@code i * nodes / pages}. The default.
     */
    BANDED(0),
    /** Page {@code i} belongs to node {@code i % nodes}. */
    CYCLIC(1),
    /** Every page belongs to the root. */
    ROOT(2),
    /**
     * A page belongs to the node whose store after {@link DsmProgram#initialize} reaches the root
     * first; until then to the root. Under {@link Protocol#WEAK}, to the root.
     */
    FIRST_TOUCH(3);

    private final int code;

    Home(int code) {
        this.code = code;
    }

    /** The number in the text of a layout; never reused. */
    public int code() {
        return code;
    }

    /**
     * @throws IllegalArgumentException if no home has that code
     */
    public static Home fromCode(int code) {
        for (Home home : values()) {
            if (home.code == code) {
                return home;
            }
        }
        throw new IllegalArgumentException("no home has code " + code);
    }
}
