package io.muninn.directory;

import io.muninn.model.NodeId;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The nodes that may hold a readable copy of a page. A superset of the holders is allowed, a subset
 * is a bug. Immutable; iterates in node order.
 *
 * <p>Source: Munin §3.4.
 *
 * @param bits bit {@code i} denotes node {@code i}
 */
public record Copyset(long bits) implements Iterable<NodeId> {
    public static final Copyset EMPTY = new Copyset(0);

    public static Copyset of(NodeId node) {
        return new Copyset(bit(node));
    }

    public Copyset with(NodeId node) {
        return new Copyset(bits | bit(node));
    }

    public Copyset without(NodeId node) {
        return new Copyset(bits & ~bit(node));
    }

    public Copyset union(Copyset other) {
        return new Copyset(bits | other.bits);
    }

    public Copyset minus(Copyset other) {
        return new Copyset(bits & ~other.bits);
    }

    public boolean contains(NodeId node) {
        return (bits & bit(node)) != 0;
    }

    public boolean isEmpty() {
        return bits == 0;
    }

    public int count() {
        return Long.bitCount(bits);
    }

    @Override
    public Iterator<NodeId> iterator() {
        return new Iterator<>() {
            private long left = bits;

            @Override
            public boolean hasNext() {
                return left != 0;
            }

            @Override
            public NodeId next() {
                if (left == 0) {
                    throw new NoSuchElementException();
                }
                int index = Long.numberOfTrailingZeros(left);
                left &= left - 1;
                return NodeId.of(index);
            }
        };
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (NodeId node : this) {
            text.append(text.length() > 1 ? "," : "").append(node);
        }
        return text.append('}').toString();
    }

    private static long bit(NodeId node) {
        return 1L << node.index();
    }
}
