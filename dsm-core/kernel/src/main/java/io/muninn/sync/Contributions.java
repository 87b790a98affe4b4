package io.muninn.sync;

import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The encoding of contributions, which are sent with arrivals at a barrier as the part {@link
 * Cargo#REDUCTION_CODE} of their cargo: count u32, then for each: thread u32, or -1 for all threads
 * of the node together; contribution, u32 length and bytes. The result, in the format of {@link
 * Round#result}, is sent with departures in the same part.
 */
public final class Contributions {
    private Contributions() {}

    /**
     * Encodes the contributions of an arrival. Those of all threads of the node are combined if
     * permitted; those of some threads are not, because the others' may belong between them.
     *
     * @param ofThreads encoded, by thread
     * @param isWholeNode whether these are all threads of the node
     */
    public static Bytes ofArrival(SortedMap<Integer, Bytes> ofThreads, boolean isWholeNode) {
        ByteWriter out = new ByteWriter();
        Optional<byte[]> ofNode = isWholeNode ? combined(ofThreads) : Optional.empty();
        if (ofNode.isPresent()) {
            out.u32(1);
            out.u32(Round.ALL_THREADS);
            out.sized(ofNode.get());
        } else {
            out.u32(ofThreads.size());
            ofThreads.forEach((thread, contribution) -> {
                out.u32(thread);
                out.sized(contribution.array());
            });
        }
        return new Bytes(out.toArray());
    }

    /**
     * Empty if they must not be combined. The contribution of a node's only thread is not decoded
     * here.
     */
    private static Optional<byte[]> combined(SortedMap<Integer, Bytes> ofThreads) {
        if (ofThreads.size() == 1) {
            return Optional.of(ofThreads.values().iterator().next().array());
        }
        List<Contribution> parts =
                ofThreads.values().stream().map(each -> Contribution.decode(each.array())).toList();
        return Contribution.ofNode(parts).map(Contribution::encode);
    }

    /**
     * Adds the contributions of an arrival to its round.
     *
     * @param count threads that arrive
     * @return the reason why the round cannot be completed; empty if it can
     */
    static Optional<String> add(Round round, NodeId from, int count, Cargo arrival) {
        Bytes bytes = arrival.of(Cargo.REDUCTION_CODE);
        if (bytes.length() == 0) {
            return round.add(from.index(), Round.ALL_THREADS, Optional.empty());
        }
        Optional<String> reason = Optional.empty();
        ByteReader in = new ByteReader(bytes.array());
        int parts = in.u32();
        if (parts < 1 || parts > count) {
            throw new MalformedMessageException(parts + " contributions of " + count + " threads");
        }
        boolean areAll = false;
        for (int i = 0; i < parts; i++) {
            int thread = in.u32();
            areAll |= thread == Round.ALL_THREADS;
            Optional<Contribution> part = Optional.of(decode(in.sized()));
            Optional<String> differs = add(round, from, thread, part);
            reason = reason.or(() -> differs);
        }
        if (parts < count && !areAll) { // some threads of the node have none
            Optional<String> differs = round.add(from.index(), Round.ALL_THREADS, Optional.empty());
            reason = reason.or(() -> differs);
        }
        return reason;
    }

    private static Optional<String> add(
            Round round, NodeId from, int thread, Optional<Contribution> part) {
        try {
            return round.add(from.index(), thread, part);
        } catch (IllegalArgumentException twice) {
            throw new MalformedMessageException(String.valueOf(twice.getMessage()));
        }
    }

    private static Contribution decode(byte[] bytes) {
        try {
            return Contribution.decode(bytes);
        } catch (IllegalArgumentException wrong) {
            throw new MalformedMessageException(String.valueOf(wrong.getMessage()));
        }
    }
}
