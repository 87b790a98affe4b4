package io.muninn.api;

import java.util.Locale;

/**
 * How the copies of a shared variable are kept coherent. Choose the protocol that matches how the
 * variable is used. A poor choice costs messages but never correctness, except where noted below.
 *
 * <p>Source: Carter, Bennett and Zwaenepoel, "Techniques for Reducing Consistency-Related
 * Communication in Distributed Shared Memory Systems", sections 2.2 and 7.1; Bilas, Iftode, Samanta
 * and Singh, "Supporting a Coherent Shared Address Space Across SMP Nodes", section 2; Keleher,
 * Cox, Dwarkadas and Zwaenepoel, "TreadMarks: Distributed Shared Memory on Standard Workstations
 * and Operating Systems", section 2; Keleher and Tseng, "Enhancing Software DSM for
 * Compiler-Parallelized Applications", section 3.1.3; Kontothanassis and Scott, "Software Cache
 * Coherence for Large Scale Multiprocessors", section 2.
 */
public enum Protocol {
    /**
     * One writer or many readers, sequentially consistent: a store waits until every other copy is
     * invalidated. The default.
     */
    CONVENTIONAL(1),
    /**
     * Written by the root during {@link DsmProgram#initialize}, or by all nodes during {@link
     * DsmProgram#initializePart}, then only read; a later store is an error.
     */
    READ_ONLY(2),
    /**
     * Used by one thread at a time, with loads and stores: the page moves with the right to do
     * both, and the old copy is invalidated.
     */
    MIGRATORY(3),
    /**
     * Written by several nodes at once, each its own elements: stores are buffered and merged at
     * synchronization. Loads are sure to see another node's stores only after an acquire that
     * follows its release.
     */
    WRITE_SHARED(4),
    /**
     * One writer or many readers, as {@link #CONVENTIONAL}, but the next release, not the store,
     * waits until the other copies are invalidated. Loads may return a value that another node has
     * overwritten, until an acquire that follows its release. Kept for comparison.
     */
    PIPELINED(5),
    /**
     * Written by several nodes at once, each its own elements, as {@link #WRITE_SHARED}. Each page
     * has a home, to which a release sends the stores. Other nodes are notified at their next
     * acquire of the pages that have changed, and fetch them from their homes when they use them. A
     * copy does not change before an acquire of its node, so a loop that polls without one may not
     * end; but a fault fetches the page with stores that may be later than the last acquire.
     */
    HOME_BASED(6),
    /**
     * As {@link #HOME_BASED}, without homes: a node keeps its stores until another node uses the
     * page after an acquire and requests them. A release sends nothing.
     */
    LAZY(7),
    /**
     * As {@link #LAZY}. In addition, before a barrier for all threads each node sends its stores to
     * the nodes that have repeatedly requested those pages, so that they need not request them.
     */
    HYBRID(8),
    /**
     * Written by several nodes at once, each its own elements, as {@link #HOME_BASED}. A release
     * waits until the stores are at their homes, and until every node with a copy has a notice; an
     * acquire discards the copies of which its node has notices. Synchronization messages carry
     * nothing.
     */
    WEAK(9);

    private final int code;

    Protocol(int code) {
        this.code = code;
    }

    /** Its name on command lines and in reports: lower case, with hyphens. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * True if variables under this protocol are sealed: only {@link DsmProgram#initialize} stores
     * to them, and a later store is an error. A run allocates one by {@link
     * DsmNode#allocateReadOnly}.
     */
    public boolean isSealed() {
        return this == READ_ONLY;
    }

    /**
     * The protocol of variables that are sealed after the threads of all nodes have filled them:
     * what a home stores to its pages costs nothing.
     */
    public static Protocol filledByAll() {
        return HOME_BASED;
    }

    /**
     * True if nodes push their stores to the nodes that read them, so that a program may give
     * {@link Advice}.
     */
    public boolean hasReaders() {
        return this == HYBRID;
    }

    /**
     * True if pages may be sent to the next holder of a lock together with it, so that a program
     * may name the pages ({@link DsmLock#guards}).
     */
    public boolean travelsWithLocks() {
        return this == CONVENTIONAL || this == MIGRATORY || this == PIPELINED;
    }

    /**
     * True if several nodes may store to a page at the same time, and a synchronization merges
     * their stores. Then an update, such as {@link LongArray#getAndAdd}, is not atomic between
     * nodes, and a load need not see the last store.
     */
    public boolean mergesStores() {
        return this == WRITE_SHARED
                || this == HOME_BASED
                || this == LAZY
                || this == HYBRID
                || this == WEAK;
    }

    /** The protocol's number on the wire; never reused. */
    public int code() {
        return code;
    }

    /**
     * @throws IllegalArgumentException if no protocol has that code
     */
    public static Protocol fromCode(int code) {
        for (Protocol protocol : values()) {
            if (protocol.code == code) {
                return protocol;
            }
        }
        throw new IllegalArgumentException("no protocol has code " + code);
    }
}
