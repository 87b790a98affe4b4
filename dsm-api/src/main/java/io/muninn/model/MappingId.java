package io.muninn.model;

/**
 * One application process of a node, with a page table of its own over the node's frames. A node's
 * processes are numbered from 0.
 *
 * @param index from 0; -1 stands for {@link #ALL}
 */
public record MappingId(int index) {
    /** Largest number of processes of a node. */
    public static final int PROCESSES_MAX = 16;

    /** The first process of a node; most nodes have no other. */
    public static final MappingId FIRST = new MappingId(0);

    /** All processes of a node that has several, in effects and in their results. */
    public static final MappingId ALL = new MappingId(-1);

    private static final MappingId[] INTERNED = intern();

    /** Returns the process with this number. Allocates nothing. */
    public static MappingId of(int index) {
        return INTERNED[index];
    }

    private static MappingId[] intern() {
        MappingId[] all = new MappingId[PROCESSES_MAX];
        for (int i = 0; i < PROCESSES_MAX; i++) {
            all[i] = new MappingId(i);
        }
        return all;
    }

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
        return index < 0 ? "all" : Integer.toString(index);
    }
}
