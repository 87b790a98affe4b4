package io.muninn.sim.ncc;

import java.util.Arrays;

/** The entries of a TLB, of which the oldest is replaced. */
final class Tlb {
    private static final int FREE = -1;

    private final int[] entries; // in a ring
    private final boolean[] isPresent; // by page
    private int next;
    private int last = FREE; // used

    Tlb(int size, int pages) {
        entries = new int[size];
        isPresent = new boolean[pages];
        Arrays.fill(entries, FREE);
    }

    /** True if a page has an entry; it gets one otherwise. */
    boolean use(int page) {
        if (page == last) {
            return true;
        }
        last = page;
        if (isPresent[page]) {
            return true;
        }
        if (entries[next] != FREE) {
            isPresent[entries[next]] = false;
        }
        entries[next] = page;
        isPresent[page] = true;
        next = next + 1 == entries.length ? 0 : next + 1;
        return false;
    }

    /** Removes the entry of a page, if it has one. Its place stays taken until its turn. */
    void remove(int page) {
        if (isPresent[page]) {
            isPresent[page] = false;
            for (int i = 0; i < entries.length; i++) {
                if (entries[i] == page) {
                    entries[i] = FREE;
                }
            }
        }
        if (page == last) {
            last = FREE;
        }
    }
}
