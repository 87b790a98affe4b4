package io.muninn.pool;

import java.util.function.IntConsumer;

/**
 * The coherent map of pages whose frames all nodes address: which nodes map a page, which have
 * published stores to it, and the weak list of each node. No operation waits for another, so a node
 * that stops or is killed within one delays nobody.
 *
 * <p><b>Use.</b> A node {@linkplain #enter enters} a page, then copies its frame. A release writes
 * the stores of each page back to its frame, then {@linkplain #publish publishes} the page. An
 * acquire, behind the grant, {@linkplain #takeList takes} the node's weak list and {@linkplain
 * #check checks} the pages that were unsafe when it entered them; copies that are on the list or
 * stale are discarded, then {@linkplain #leave left}.
 *
 * <p><b>Order.</b> A mapper sets its bit before it copies; a publisher loads these bits after the
 * write-back. So a mapper that a publisher does not see copies what was written back.
 *
 * <p><b>Safe and unsafe.</b> A publisher of a safe page puts it on the weak lists of its mappers. A
 * page with many such publications becomes unsafe: a publisher then sets the bits of the mappers in
 * the map alone. The publisher that marks a page unsafe loads the mappers once more after the mark,
 * sends the last notices, and declares the page settled; until then other publishers send notices,
 * too, because a mapper that entered before the mark does not check the page. The publisher itself
 * checks the page from then on.
 *
 * <p><b>Homes.</b> A node that uses a frame in place is its home, and is no mapper. Whoever enters
 * the page {@linkplain #tellHome tells} it before the copy. After a publication each copy has a
 * notice. So a release of the home that has not {@linkplain #takeEntered found} the page since its
 * last publication need not publish it: a copy without a notice has all stores so far.
 *
 * <p>Source: Kontothanassis and Scott, section 2. Departures: atomic operations on words instead of
 * a lock for each entry, because nobody may wait for a node that can be stopped. An unsafe page has
 * a bit for each mapper with an older copy; the paper has one state for the page, which is lost
 * when its last writer leaves before another mapper has checked it.
 *
 * <p><b>Threads.</b> Any, of any node.
 */
public final class CoherentMap {
    /** States of a page, of the system as a whole. */
    public enum State {
        UNCACHED,
        SHARED,
        DIRTY,
        WEAK
    }

    private final PoolLayout layout;
    private final PoolRules rules;
    private final PoolWords words;

    /**
     * @param words as many as the layout has, all zero at first
     */
    public CoherentMap(PoolLayout layout, PoolRules rules, PoolWords words) {
        this.layout = layout;
        this.rules = rules;
        this.words = words;
    }

    /** The state of a page, if no operation is under way. */
    public State state(int page) {
        boolean isMapped = false;
        boolean isWritten = false;
        int nodes = 0;
        for (int i = 0; i < layout.setWords(); i++) {
            long mappers = words.get(layout.mappers(page) + i);
            long writers = words.get(layout.writers(page) + i);
            isMapped |= mappers != 0;
            isWritten |= writers != 0;
            nodes += Long.bitCount(mappers | writers);
        }
        if (isWritten) {
            return nodes == 1 ? State.DIRTY : State.WEAK;
        }
        return isMapped ? State.SHARED : State.UNCACHED;
    }

    /** The mappers of a page among the first 64 nodes, a bit each. */
    public long mappers(int page) {
        return words.get(layout.mappers(page));
    }

    /** Whether publications of a page send no notices. */
    public boolean isUnsafe(int page) {
        return history(page).isUnsafe();
    }

    /** Whether a node is a mapper of a page; for checks. */
    public boolean isMapper(int node, int page) {
        return (words.get(layout.mappers(page) + group(node)) & bit(node)) != 0;
    }

    /** Whether an acquire of a node will find a notice of a page; for checks. */
    public boolean isListed(int node, int page) {
        return isOn(layout.weak(node), page);
    }

    /** Whether the next release of a home will find that others have entered a page; for checks. */
    public boolean isEntered(int home, int page) {
        return isOn(layout.entered(home), page);
    }

    private boolean isOn(int list, int page) {
        int leaf = page / Long.SIZE;
        return (words.get(layout.leaf(list, leaf)) & bit(page)) != 0
                && (words.get(layout.summary(list, leaf / Long.SIZE)) & bit(leaf)) != 0;
    }

    /** Whether a check by a node would find its copy of a page old; for checks. */
    public boolean isStale(int node, int page) {
        return (words.get(layout.stale(page) + group(node)) & bit(node)) != 0;
    }

    /**
     * Enters a node as a mapper of a page. The node copies the frame afterwards.
     *
     * @return true if the node must check the page at each acquire, until it leaves it
     */
    public boolean enter(int node, int page) {
        words.getAndOr(layout.mappers(page) + group(node), bit(node));
        words.getAndAnd(layout.stale(page) + group(node), ~bit(node));
        boolean isUnsafe = history(page).isUnsafe();
        if (rules.listsAtTransition()) {
            long[] writers = othersOf(layout.writers(page), node);
            if (isAny(writers)) {
                add(writers, node);
                tell(writers, page, isUnsafe);
            }
        }
        return isUnsafe;
    }

    /** Tells the home of a page that another node has entered it, and has not copied it yet. */
    public void tellHome(int home, int page) {
        put(layout.entered(home), page);
    }

    /**
     * Announces stores of a mapper, which it has written back to the frame, or of the home.
     *
     * @return true if the page has become unsafe, so that the node must check it from now on
     */
    public boolean publish(int node, int page) {
        boolean becomesUnsafe = announce(node, page);
        if (becomesUnsafe) {
            settle(page);
        }
        return becomesUnsafe;
    }

    /**
     * As {@link #publish}, where notices reach their nodes later. A page that has become unsafe
     * must be {@linkplain #settle settled} then.
     */
    public boolean announce(int node, int page) {
        words.getAndOr(layout.writers(page) + group(node), bit(node));
        long[] others = othersOf(layout.mappers(page), node);
        if (!isAny(others)) {
            return false;
        }
        PageHistory before = count(page);
        boolean isMarked = !before.isUnsafe() && before.count() == rules.noticesMax();
        if (isMarked) {
            others = othersOf(layout.mappers(page), node);
        }
        if (rules.listsAtTransition()) {
            add(others, node);
        }
        tell(others, page, before.isSettled());
        return isMarked;
    }

    /** The nodes of a set, without one. */
    private long[] othersOf(int set, int node) {
        long[] others = new long[layout.setWords()];
        for (int i = 0; i < others.length; i++) {
            others[i] = words.get(set + i);
        }
        others[group(node)] &= ~bit(node);
        return others;
    }

    private static void add(long[] nodes, int node) {
        nodes[group(node)] |= bit(node);
    }

    private static boolean isAny(long[] nodes) {
        for (long each : nodes) {
            if (each != 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Tells nodes that their copies of a page may be old.
     *
     * @param inMap they check the page; others get a notice
     */
    private void tell(long[] nodes, int page, boolean inMap) {
        for (int i = 0; i < nodes.length; i++) {
            if (!inMap) {
                forEachBit(nodes[i], i, node -> put(layout.weak(node), page));
            } else if (nodes[i] != 0 || nodes.length == 1) {
                words.getAndOr(layout.stale(page) + i, nodes[i]);
            }
        }
    }

    /**
     * Ends the notices of a page that has become unsafe: its mappers have the last ones, and its
     * publisher checks it.
     */
    public void settle(int page) {
        words.getAndOr(layout.history(page), PageHistory.SETTLED);
    }

    /**
     * Counts a publication with notices, if the page is safe; the one behind the last makes it
     * unsafe.
     *
     * @return the history before
     */
    private PageHistory count(int page) {
        while (true) {
            PageHistory before = history(page);
            PageHistory after =
                    before.count() == rules.noticesMax() ? PageHistory.MARKED : before.counted();
            if (before.isUnsafe() || change(page, before, after)) {
                return before;
            }
        }
    }

    /**
     * Takes all notices of a node. Its copies of these pages may be older than a publication.
     *
     * @param listed receives each page once, also pages that the node does not map
     */
    public void takeList(int node, IntConsumer listed) {
        takeList(node, layout.pages(), listed);
    }

    /**
     * As {@link #takeList(int, IntConsumer)}, where no page from {@code end} on is in use.
     *
     * @param end at most the number of pages
     */
    public void takeList(int node, int end, IntConsumer listed) {
        take(layout.weak(node), end, listed);
    }

    /**
     * Takes what others have told a home, behind its stores.
     *
     * @param end no page from here on is in use; at most the number of pages
     * @param entered receives each page once
     */
    public void takeEntered(int home, int end, IntConsumer entered) {
        take(layout.entered(home), end, entered);
    }

    private void take(int list, int end, IntConsumer taken) {
        for (int i = 0; i < PoolLayout.summaries(end); i++) {
            long summary = words.get(layout.summary(list, i));
            if (summary != 0) {
                long leaves = words.getAndSet(layout.summary(list, i), 0);
                forEachBit(leaves, i, leaf -> takeLeaf(list, leaf, taken));
            }
        }
    }

    private void takeLeaf(int list, int leaf, IntConsumer taken) {
        forEachBit(words.getAndSet(layout.leaf(list, leaf), 0), leaf, taken);
    }

    /**
     * Checks a page that was unsafe when its node entered it, also if it has become safe.
     *
     * @return true if the node's copy may be older than a publication
     */
    public boolean check(int node, int page) {
        boolean isStale = isStale(node, page);
        while (true) {
            PageHistory before = history(page);
            if (!before.isSettled()) {
                return isStale;
            }
            PageHistory after = isStale ? before.cleared() : before.counted();
            if (after.count() == rules.checksMax()) {
                after = PageHistory.NEW;
            }
            if (after.equals(before) || change(page, before, after)) {
                return isStale;
            }
        }
    }

    /** Removes a node from the mappers of a page, whose copy it has discarded. */
    public void leave(int node, int page) {
        words.getAndAnd(layout.mappers(page) + group(node), ~bit(node));
        words.getAndAnd(layout.writers(page) + group(node), ~bit(node));
    }

    /** Puts a page on a list: in the leaf first, which the summary announces. */
    private void put(int list, int page) {
        int leaf = page / Long.SIZE;
        set(layout.leaf(list, leaf), page);
        set(layout.summary(list, leaf / Long.SIZE), leaf);
    }

    /** Sets a bit, which most often is set. */
    private void set(int word, int index) {
        if ((words.get(word) & bit(index)) == 0) {
            words.getAndOr(word, bit(index));
        }
    }

    private PageHistory history(int page) {
        return PageHistory.of(words.get(layout.history(page)));
    }

    private boolean change(int page, PageHistory before, PageHistory after) {
        return words.compareAndSet(layout.history(page), before.word(), after.word());
    }

    private static int group(int index) {
        return index / Long.SIZE;
    }

    private static long bit(int index) {
        return 1L << index; // of the index modulo 64
    }

    /**
     * @param group of 64 indices
     */
    private static void forEachBit(long bits, int group, IntConsumer each) {
        for (long left = bits; left != 0; left &= left - 1) {
            each.accept(group * Long.SIZE + Long.numberOfTrailingZeros(left));
        }
    }
}
