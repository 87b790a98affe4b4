package io.muninn.verify.pool;

import io.muninn.pool.PoolLayout;
import io.muninn.pool.PoolRules;
import java.util.Collections;
import java.util.List;

/**
 * What the nodes of a model do.
 *
 * @param name says what it shows
 * @param pages at least 1
 * @param variables each guarded by a lock
 * @param nodes at least one
 * @param rules of the map
 * @param home the node that uses all frames in place; {@link #NO_HOME} if none does
 * @param isImmediate whether the first store since a page was entered publishes it, and not the
 *     release; with lists at transitions
 */
public record PoolProgram(
        String name,
        int pages,
        List<Variable> variables,
        List<Part> nodes,
        PoolRules rules,
        int home,
        boolean isImmediate) {
    static final int NO_HOME = -1;

    /** Words of a page. */
    static final int WORDS = 2;

    public PoolProgram {
        variables = List.copyOf(variables);
        nodes = List.copyOf(nodes);
    }

    /** With delayed transitions: a release publishes. */
    PoolProgram(
            String name,
            int pages,
            List<Variable> variables,
            List<Part> nodes,
            PoolRules rules,
            int home) {
        this(name, pages, variables, nodes, rules, home, false);
    }

    /** The same without a home. */
    PoolProgram(
            String name, int pages, List<Variable> variables, List<Part> nodes, PoolRules rules) {
        this(name, pages, variables, nodes, rules, NO_HOME);
    }

    /**
     * The part of one node: so many sections, one after the other. Which of several kinds comes
     * next is open, so a model covers all orders.
     *
     * @param kinds of its sections, at least one
     */
    public record Part(int sections, List<Section> kinds) {
        public Part {
            kinds = List.copyOf(kinds);
        }

        static Part of(int sections, Section... kinds) {
            return new Part(sections, List.of(kinds));
        }
    }

    /** A word of a page. */
    public record Variable(int page, int word, int lock) {
        /** Its index among the words of all pages. */
        int at() {
            return page * WORDS + word;
        }
    }

    /**
     * A section of one lock, or of several, each within the one before.
     *
     * @param locks in ascending order
     * @param stores whether it adds one to each variable of its locks, or only loads them
     */
    public record Section(List<Integer> locks, boolean stores) {
        public Section {
            locks = List.copyOf(locks);
        }

        static Section loads(Integer... locks) {
            return new Section(List.of(locks), false);
        }

        static Section stores(Integer... locks) {
            return new Section(List.of(locks), true);
        }
    }

    /** Nodes store to a page of their own words, whose notices cross. */
    private static final List<Variable> SHARED_FALSELY =
            List.of(new Variable(0, 0, 0), new Variable(0, 1, 1));

    /** The word of a second page has a lock of its own. */
    private static final List<Variable> TWO_PAGES =
            List.of(new Variable(0, 0, 0), new Variable(0, 1, 1), new Variable(1, 0, 2));

    /** A page is unsafe behind its first publication with notices, safe again behind one check. */
    private static final PoolRules HASTY = new PoolRules(false, 1, 1);

    private static final PoolRules LISTING = new PoolRules(true, 1, 1);

    private static final Section STORES = Section.stores(0);
    private static final Section LOADS = Section.loads(0);

    /** Stores to and loads of the other word of the first page. */
    private static final Section STORES_BESIDE = Section.stores(1);

    private static final Section LOADS_BESIDE = Section.loads(1);

    /** Each node has stores to one page when it acquires the lock of a word of another. */
    private static final List<Part> OPEN =
            Collections.nCopies(2, Part.of(1, STORES, Section.stores(1, 2), Section.loads(2)));

    /** Programs whose states are searched in seconds, those of the first five in less than one. */
    public static final List<PoolProgram> ALL =
            List.of(
                    new PoolProgram("open stores meet a notice", 2, TWO_PAGES, OPEN, HASTY),
                    new PoolProgram(
                            "three nodes, one section",
                            1,
                            SHARED_FALSELY,
                            Collections.nCopies(3, Part.of(1, STORES, LOADS_BESIDE)),
                            HASTY),
                    new PoolProgram(
                            "a mapper enters while the page becomes unsafe",
                            1,
                            SHARED_FALSELY,
                            List.of(
                                    Part.of(3, STORES),
                                    Part.of(2, LOADS, LOADS_BESIDE),
                                    Part.of(0, LOADS)), // keeps its first copy
                            new PoolRules(false, 1, 9)),
                    new PoolProgram(
                            "a publisher meets another that makes the page unsafe",
                            1,
                            SHARED_FALSELY,
                            List.of(
                                    Part.of(1, STORES),
                                    Part.of(1, STORES_BESIDE),
                                    Part.of(1, LOADS_BESIDE)),
                            new PoolRules(false, 0, 1)),
                    new PoolProgram(
                            "unsafe, safe and unsafe again",
                            1,
                            SHARED_FALSELY,
                            List.of(Part.of(4, STORES), Part.of(4, LOADS_BESIDE, LOADS)),
                            HASTY),
                    new PoolProgram(
                            "two writers of a page",
                            1,
                            SHARED_FALSELY,
                            Collections.nCopies(2, Part.of(2, STORES, LOADS, STORES_BESIDE)),
                            HASTY),
                    new PoolProgram(
                            "three nodes, lists at transitions",
                            1,
                            SHARED_FALSELY,
                            Collections.nCopies(3, Part.of(1, STORES, LOADS_BESIDE)),
                            LISTING),
                    new PoolProgram(
                            "two nodes, lists at transitions",
                            1,
                            SHARED_FALSELY,
                            Collections.nCopies(2, Part.of(2, STORES, LOADS_BESIDE)),
                            LISTING),
                    new PoolProgram(
                            "three nodes, two writers",
                            1,
                            SHARED_FALSELY,
                            Collections.nCopies(3, Part.of(1, STORES, LOADS, STORES_BESIDE)),
                            HASTY),
                    new PoolProgram(
                            "a home stores in place",
                            1,
                            SHARED_FALSELY,
                            Collections.nCopies(3, Part.of(1, STORES, LOADS, STORES_BESIDE)),
                            HASTY,
                            0),
                    new PoolProgram(
                            "a home stores in place, lists at transitions",
                            1,
                            SHARED_FALSELY,
                            List.of(
                                    Part.of(3, STORES, LOADS_BESIDE),
                                    Part.of(2, LOADS, STORES_BESIDE)),
                            LISTING,
                            0),
                    new PoolProgram(
                            "frames of a home that others enter and leave",
                            2,
                            TWO_PAGES,
                            List.of(
                                    Part.of(3, STORES, Section.stores(2)),
                                    Part.of(2, LOADS, Section.loads(2))),
                            HASTY,
                            0),
                    new PoolProgram(
                            "open stores, lists at transitions", 2, TWO_PAGES, OPEN, LISTING),
                    new PoolProgram(
                            "open stores, immediate transitions",
                            2,
                            TWO_PAGES,
                            OPEN,
                            LISTING,
                            NO_HOME,
                            true),
                    new PoolProgram(
                            "two nodes, immediate transitions",
                            1,
                            SHARED_FALSELY,
                            Collections.nCopies(2, Part.of(2, STORES, LOADS_BESIDE)),
                            LISTING,
                            NO_HOME,
                            true),
                    new PoolProgram(
                            "three nodes, immediate transitions",
                            1,
                            SHARED_FALSELY,
                            Collections.nCopies(3, Part.of(1, STORES, LOADS_BESIDE)),
                            LISTING,
                            NO_HOME,
                            true));

    PoolLayout layout() {
        return new PoolLayout(pages, nodes.size());
    }

    /** The number of locks. */
    int locks() {
        return variables.stream().mapToInt(Variable::lock).max().orElse(0) + 1;
    }
}
