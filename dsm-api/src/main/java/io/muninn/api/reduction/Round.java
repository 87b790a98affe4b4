package io.muninn.api.reduction;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The contributions to one round of a barrier, and their combined result. Contributions are
 * combined in order of node and thread, regardless of the order of arrival: first the contributions
 * of each node from left to right, then the results of the nodes. A flat combination combines all
 * contributions from left to right. So equal contributions give the same bits.
 */
public final class Round {
    /** Stands for all threads of a node, whose contributions are already combined. */
    public static final int ALL_THREADS = -1;

    /** The first arrival of the round. */
    private record First(int node, int thread, Optional<Contribution> contribution) {}

    private final SortedMap<Integer, SortedMap<Integer, Contribution>> byNode = new TreeMap<>();
    private Optional<First> first = Optional.empty();

    /** A round without arrivals. */
    public Round() {}

    /**
     * Adds the arrival of a thread.
     *
     * @param thread within its node, or {@link #ALL_THREADS}
     * @param contribution empty if the thread arrives without one
     * @return the reason why the round cannot be completed; empty if it can
     * @throws IllegalArgumentException if the thread has contributed to this round before
     */
    public Optional<String> add(int node, int thread, Optional<Contribution> contribution) {
        First before = first.orElseGet(() -> new First(node, thread, contribution));
        first = Optional.of(before);
        contribution.ifPresent(each -> put(node, thread, each));
        boolean fits =
                before.contribution().isPresent() == contribution.isPresent()
                        && (contribution.isEmpty()
                                || before.contribution().get().fits(contribution.get()));
        return fits ? Optional.empty() : Optional.of(differs(before, node, thread, contribution));
    }

    private void put(int node, int thread, Contribution contribution) {
        if (byNode.computeIfAbsent(node, _ -> new TreeMap<>()).put(thread, contribution) != null) {
            throw new IllegalArgumentException(who(node, thread) + " contributes twice to a round");
        }
    }

    private static String differs(
            First before, int node, int thread, Optional<Contribution> contribution) {
        return who(before.node(), before.thread())
                + " came "
                + what(before.contribution())
                + ", and "
                + who(node, thread)
                + " "
                + what(contribution)
                + "; all parties of a round contribute to the same reduction, with equal lengths";
    }

    private static String who(int node, int thread) {
        return "node " + node + (thread == ALL_THREADS ? "" : ", thread " + thread + ",");
    }

    private static String what(Optional<Contribution> contribution) {
        return contribution
                .map(each -> "with a contribution to '" + each.text() + "'")
                .orElse("without a contribution");
    }

    /** True if there is no contribution. */
    public boolean isEmpty() {
        return byNode.isEmpty();
    }

    /**
     * Combines the contributions, of which there is at least one.
     *
     * @return in the format of {@link #values}: one value, or all if the application combines them
     */
    public byte[] result() {
        List<Contribution> all = new ArrayList<>();
        Combination combination = first.orElseThrow().contribution().orElseThrow().combination();
        for (SortedMap<Integer, Contribution> ofNode : byNode.values()) {
            List<Contribution> ofThreads = List.copyOf(ofNode.values());
            if (combination.isFlat()) {
                all.addAll(ofThreads);
            } else {
                all.add(Contribution.combined(ofThreads));
            }
        }
        return result(all);
    }

    /**
     * Combines contributions from left to right.
     *
     * @param inOrder one at least
     * @return in the format of {@link #values}: one value, or all if the application combines them
     * @throws IllegalArgumentException if they do not fit each other
     */
    public static byte[] result(List<Contribution> inOrder) {
        boolean isOwn = inOrder.getFirst().combination().operator().isEmpty();
        return encode(isOwn ? inOrder : List.of(Contribution.combined(inOrder)));
    }

    /** Count u32, then for each value length u32 and bytes, little-endian. */
    private static byte[] encode(List<Contribution> values) {
        int bytes = values.stream().mapToInt(each -> Integer.BYTES + each.value().length).sum();
        ByteBuffer out = buffer(Integer.BYTES + bytes).putInt(values.size());
        values.forEach(each -> out.putInt(each.value().length).put(each.value()));
        return out.array();
    }

    /**
     * The result of a contribution that was split into pieces, from the results of its rounds.
     *
     * @param results in order, one at least
     */
    public static byte[] joined(List<byte[]> results) {
        if (results.size() == 1) {
            return results.getFirst();
        }
        List<byte[]> pieces = results.stream().map(result -> values(result).getFirst()).toList();
        int bytes = pieces.stream().mapToInt(piece -> piece.length).sum();
        ByteBuffer out = buffer(2 * Integer.BYTES + bytes).putInt(1).putInt(bytes);
        pieces.forEach(out::put);
        return out.array();
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The values of a result: one, or in order of position those that the application combines.
     *
     * @throws IllegalArgumentException if the bytes are no result
     */
    public static List<byte[]> values(byte[] result) {
        ByteBuffer in = ByteBuffer.wrap(result).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> values = new ArrayList<>();
        try {
            for (int left = in.getInt(); left > 0; left--) {
                int length = in.getInt();
                if (length < 0 || length > in.remaining()) {
                    throw new IllegalArgumentException("a value of " + length + " bytes");
                }
                byte[] value = new byte[length];
                in.get(value);
                values.add(value);
            }
            return values;
        } catch (BufferUnderflowException cutShort) {
            throw new IllegalArgumentException(result.length + " bytes are no result", cutShort);
        }
    }
}
