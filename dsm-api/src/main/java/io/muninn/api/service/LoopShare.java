package io.muninn.api.service;

import io.muninn.api.Loop;
import io.muninn.api.reduction.Combination;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.shipping.Thrown;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The result of one thread's share of a loop: the values of its parts, or its failure. It is the
 * thread's contribution when it arrives to wait for the next loop. A long one is contributed in
 * pieces.
 *
 * <pre>
 * u8 0, then for each part: number u32, length u32, value
 * u8 1, number of the loop u32, index u32, then the exception
 * u8 2, length of the whole u32, then bytes of it: a piece
 * </pre>
 */
final class LoopShare {
    /**
     * An exception of a body.
     *
     * @param loop index among the loops that were started together, from 0
     */
    record Failure(int loop, int index, byte[] thrown) {}

    private static final Combination COMBINATION = Combination.ofApplication("share of a loop");
    private static final int FAILED = 1;
    private static final int PIECE = 2;

    private LoopShare() {}

    /** The share of a thread that has run nothing yet, or a loop without a result. */
    static byte[] nothing() {
        return of(new TreeMap<>());
    }

    /**
     * @param values encoded, by number of the part
     */
    static byte[] of(SortedMap<Integer, byte[]> values) {
        int bytes = 1;
        for (byte[] value : values.values()) {
            bytes += 2 * Integer.BYTES + value.length;
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN).put((byte) 0);
        values.forEach((part, value) -> out.putInt(part).putInt(value.length).put(value));
        return out.array();
    }

    /**
     * @param loop index among the loops that were started together
     * @param index used if the exception does not contain one
     */
    static byte[] failed(Throwable thrown, int loop, int index) {
        int at = thrown instanceof Loop.ThrownAt known ? known.index() : index;
        byte[] bytes = Thrown.write(itself(thrown));
        ByteBuffer out =
                ByteBuffer.allocate(1 + 2 * Integer.BYTES + bytes.length)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put((byte) FAILED)
                        .putInt(loop)
                        .putInt(at)
                        .put(bytes);
        return out.array();
    }

    /** The exception that the body threw. */
    static Throwable itself(Throwable thrown) {
        Throwable wrapped = thrown instanceof Loop.ThrownAt ? thrown.getCause() : null;
        return wrapped == null ? thrown : wrapped;
    }

    /**
     * A share or a piece of it, as a contribution.
     *
     * @param from offset of the piece; empty from the end of the share on
     * @param bytesMax largest length of the piece
     */
    static byte[] piece(byte[] share, int from, int bytesMax) {
        if (share.length <= bytesMax) {
            return new Contribution(COMBINATION, share).encode();
        }
        int begin = Math.min(from, share.length);
        int bytes = Math.min(bytesMax, share.length - begin);
        ByteBuffer out =
                ByteBuffer.allocate(1 + Integer.BYTES + bytes)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put((byte) PIECE)
                        .putInt(share.length)
                        .put(share, begin, bytes);
        return new Contribution(COMBINATION, out.array()).encode();
    }

    /**
     * Adds pieces to their shares.
     *
     * @param shares in order of position; empty before the first pieces
     * @return whether all shares are complete
     */
    static boolean join(List<ByteBuffer> shares, List<byte[]> pieces) {
        for (int i = 0; i < pieces.size(); i++) {
            byte[] piece = pieces.get(i);
            ByteBuffer in = ByteBuffer.wrap(piece).order(ByteOrder.LITTLE_ENDIAN);
            if (piece[0] == PIECE) {
                in.get();
                int bytes = in.getInt();
                if (i == shares.size()) {
                    shares.add(ByteBuffer.allocate(bytes));
                }
                shares.get(i).put(in);
            } else if (i == shares.size()) {
                shares.add(in.position(in.limit()));
            }
        }
        return shares.stream().noneMatch(ByteBuffer::hasRemaining);
    }

    /**
     * Reads a share.
     *
     * @param values receives the values of its parts
     * @return the failure, if the share has failed
     */
    static Optional<Failure> read(byte[] share, SortedMap<Integer, byte[]> values) {
        ByteBuffer in = ByteBuffer.wrap(share).order(ByteOrder.LITTLE_ENDIAN);
        if (in.get() == FAILED) {
            int loop = in.getInt();
            int index = in.getInt();
            return Optional.of(new Failure(loop, index, rest(in, in.remaining())));
        }
        while (in.hasRemaining()) {
            int part = in.getInt();
            values.put(part, rest(in, in.getInt()));
        }
        return Optional.empty();
    }

    /**
     * The values of a share, by number of the part.
     *
     * @throws IllegalArgumentException if it has failed
     */
    static SortedMap<Integer, byte[]> values(byte[] share) {
        SortedMap<Integer, byte[]> values = new TreeMap<>();
        if (read(share, values).isPresent()) {
            throw new IllegalArgumentException("a share that failed has no values");
        }
        return values;
    }

    private static byte[] rest(ByteBuffer in, int length) {
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
