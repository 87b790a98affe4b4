package io.muninn.directory;

import io.muninn.model.NodeId;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The nodes that may hold a readable copy of a page. A superset of the holders is allowed, a subset
 * is a bug. Immutable; iterates in node order.
 *
 * <p><b>Shape.</b> One word for the first 64 nodes, and an array of words for those above, which
 * only simulated clusters have. The array ends with its last node, so equal sets have equal words.
 *
 * <p>Source: Munin §3.4.
 */
public final class Copyset implements Iterable<NodeId> {
    private static final long[] NONE_ABOVE = {};

    public static final Copyset EMPTY = new Copyset(0, NONE_ABOVE);

    private final long first; // bit i denotes node i
    private final long[] above; // bit i of word w denotes node 64 * (w + 1) + i

    private Copyset(long first, long[] above) {
        this.first = first;
        this.above = above;
    }

    public static Copyset of(NodeId node) {
        return EMPTY.with(node);
    }

    /**
     * @param words bit i of word w denotes node 64 * w + i; at least one
     */
    public static Copyset ofWords(long... words) {
        return new Copyset(words[0], trimmed(Arrays.copyOfRange(words, 1, words.length)));
    }

    /** The word with the nodes from {@code 64 * index} on; 0 behind the last one. */
    public long word(int index) {
        if (index == 0) {
            return first;
        }
        return index <= above.length ? above[index - 1] : 0;
    }

    /** The number of words, of which the last is not 0 but in a set of one word. */
    public int words() {
        return 1 + above.length;
    }

    public Copyset with(NodeId node) {
        int word = wordOf(node);
        if (word == 0) {
            return new Copyset(first | bit(node), above);
        }
        long[] changed = Arrays.copyOf(above, Math.max(above.length, word));
        changed[word - 1] |= bit(node);
        return new Copyset(first, changed);
    }

    public Copyset without(NodeId node) {
        int word = wordOf(node);
        if (word == 0) {
            return new Copyset(first & ~bit(node), above);
        }
        return contains(node) ? minus(of(node)) : this;
    }

    public Copyset union(Copyset other) {
        long both = first | other.first;
        if (above.length + other.above.length == 0) {
            return new Copyset(both, NONE_ABOVE);
        }
        long[] longer = above.length < other.above.length ? other.above : above;
        long[] shorter = longer == above ? other.above : above;
        long[] joined = longer.clone();
        for (int i = 0; i < shorter.length; i++) {
            joined[i] |= shorter[i];
        }
        return new Copyset(both, joined);
    }

    public Copyset minus(Copyset other) {
        long left = first & ~other.first;
        if (above.length == 0) {
            return new Copyset(left, NONE_ABOVE);
        }
        long[] reduced = above.clone();
        for (int i = 0; i < reduced.length; i++) {
            reduced[i] &= ~other.word(i + 1);
        }
        return new Copyset(left, trimmed(reduced));
    }

    public boolean contains(NodeId node) {
        return (word(wordOf(node)) & bit(node)) != 0;
    }

    public boolean isEmpty() {
        return first == 0 && above.length == 0;
    }

    public int count() {
        int count = Long.bitCount(first);
        for (long word : above) {
            count += Long.bitCount(word);
        }
        return count;
    }

    @Override
    public Iterator<NodeId> iterator() {
        return new Iterator<>() {
            private int word;
            private long left = first;

            @Override
            public boolean hasNext() {
                return left != 0 || word < above.length;
            }

            @Override
            public NodeId next() {
                while (left == 0) {
                    if (word == above.length) {
                        throw new NoSuchElementException();
                    }
                    left = above[word];
                    word++;
                }
                int index = Long.SIZE * word + Long.numberOfTrailingZeros(left);
                left &= left - 1;
                return NodeId.of(index);
            }
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Copyset copyset
                && copyset.first == first
                && Arrays.equals(copyset.above, above);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(first) + Arrays.hashCode(above) - Arrays.hashCode(NONE_ABOVE);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (NodeId node : this) {
            text.append(text.length() > 1 ? "," : "").append(node);
        }
        return text.append('}').toString();
    }

    private static int wordOf(NodeId node) {
        return node.index() / Long.SIZE;
    }

    private static long bit(NodeId node) {
        return 1L << node.index(); // of the index modulo 64
    }

    private static long[] trimmed(long[] words) {
        int length = words.length;
        while (length > 0 && words[length - 1] == 0) {
            length--;
        }
        if (length == 0) {
            return NONE_ABOVE;
        }
        return length == words.length ? words : Arrays.copyOf(words, length);
    }
}
