package io.muninn.model;

/**
 * One application process of a node, with a page table of its own over the node's frames. Currently
 * every node has exactly one, {@link #ONLY}.
 *
 * @param index from 0
 */
public record MappingId(int index) {
    public static final MappingId ONLY = new MappingId(0);

    /** Written by hand for the reason given in {@link PageId#equals}. */
    @Override
    public boolean equals(Object other) {
        return other instanceof MappingId mapping && mapping.index == index;
    }

    @Override
    public int hashCode() {
        return index;
    }

    @Override
    public String toString() {
        return Integer.toString(index);
    }
}
