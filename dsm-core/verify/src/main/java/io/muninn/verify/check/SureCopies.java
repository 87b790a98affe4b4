package io.muninn.verify.check;

import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The copies of one page that nodes are sure to ask by copyset closure: node j is sure to ask node
 * x if j knows of x's copy, and no node knows of a later end of it. Whatever j merges with what it
 * knows, and in any order, x stays in the result until it is asked; and who merges what j knows is
 * sure to ask x, too. So every holder reaches every other if there is a path of such pairs between
 * any two. The converse does not hold.
 *
 * <p>Only the copysets that have changed are looked at again. The sets of nodes are words.
 */
final class SureCopies {
    private final int words;
    private final @Nullable DatedCopyset[]
            seen; // by node; null if it may differ from what it knows
    private final long[][] sure; // by node
    private final int[] ended; // by node: the most ended copies that any node has known of
    private final long[] dated; // nodes with ended copies

    SureCopies(int nodes) {
        words = (nodes + Long.SIZE - 1) / Long.SIZE;
        seen = new DatedCopyset[nodes];
        sure = new long[nodes][words];
        ended = new int[nodes];
        dated = new long[words];
    }

    /** Takes what a node knows now. */
    void update(int node, DatedCopyset copies) {
        if (seen[node] != copies) {
            seen[node] = copies;
            noteEnded(copies);
            Arrays.fill(sure[node], 0);
            add(copies, sure[node]);
        }
    }

    /** Takes what a node will know besides when a message has arrived, until the next update. */
    void updateBesides(int node, DatedCopyset copies) {
        noteEnded(copies);
        add(copies, sure[node]);
        seen[node] = null;
    }

    private void noteEnded(DatedCopyset copies) {
        for (DatedCopyset.Ended each : copies.ended()) {
            int node = each.node().index();
            if (each.copies() > ended[node]) {
                ended[node] = each.copies();
                dated[node / Long.SIZE] |= 1L << node;
                for (long[] ofNode : sure) {
                    ofNode[node / Long.SIZE] &= ~(1L << node);
                }
            }
        }
    }

    private void add(DatedCopyset copies, long[] to) {
        Copyset nodes = copies.nodes();
        for (int i = Math.min(words, nodes.words()) - 1; i >= 0; i--) {
            to[i] |= nodes.word(i) & ~dated[i];
        }
        for (DatedCopyset.Ended each : copies.ended()) {
            NodeId node = each.node();
            if (each.copies() == ended[node.index()] && nodes.contains(node)) {
                to[node.index() / Long.SIZE] |= 1L << node.index();
            }
        }
    }

    /** True if there is a path between any two holders. */
    boolean connect(BitSet holders) {
        int first = holders.nextSetBit(0);
        return first < 0 || reachesAll(first, holders) && isReachedByAll(first, holders);
    }

    private boolean reachesAll(int from, BitSet holders) {
        BitSet asked = new BitSet(seen.length);
        BitSet left = (BitSet) holders.clone();
        BitSet known = new BitSet(seen.length);
        int next = from;
        while (next >= 0) {
            asked.set(next);
            left.clear(next);
            BitSet more = BitSet.valueOf(sure[next]);
            left.andNot(more);
            if (left.isEmpty()) {
                return true;
            }
            known.or(more);
            known.andNot(asked);
            next = known.nextSetBit(0);
        }
        return false;
    }

    private boolean isReachedByAll(int target, BitSet holders) {
        long[] reaching = new long[words]; // the target
        reaching[target / Long.SIZE] = 1L << target;
        BitSet left = (BitSet) holders.clone();
        left.clear(target);
        BitSet others = new BitSet(seen.length); // that are no holders
        others.set(0, seen.length);
        others.andNot(holders);
        while (!left.isEmpty()) {
            if (!moveReaching(left, reaching) && !moveReaching(others, reaching)) {
                return false;
            }
        }
        return true;
    }

    /** Moves the nodes of a set that are sure to ask a node that reaches the target. */
    private boolean moveReaching(BitSet from, long[] reaching) {
        boolean hasMoved = false;
        for (int i = from.nextSetBit(0); i >= 0; i = from.nextSetBit(i + 1)) {
            if (meet(sure[i], reaching)) {
                reaching[i / Long.SIZE] |= 1L << i;
                from.clear(i);
                hasMoved = true;
            }
        }
        return hasMoved;
    }

    private static boolean meet(long[] some, long[] others) {
        for (int i = 0; i < some.length; i++) {
            if ((some[i] & others[i]) != 0) {
                return true;
            }
        }
        return false;
    }
}
