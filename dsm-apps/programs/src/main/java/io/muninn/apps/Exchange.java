package io.muninn.apps;

import io.muninn.api.DsmNode;
import io.muninn.api.Messages;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Exchanges of data between all threads, and collection of results at the root, for message passing
 * versions. Data is sent in pieces. Each piece except the last is confirmed before the next is
 * sent, so that few bytes wait to be received. Empty data is not sent.
 *
 * <p><b>Threads.</b> Each has its own instance; all make the same calls in the same order. The
 * exchange uses all tags of the run's messages.
 */
public final class Exchange {
    /**
     * The first tag of messages that only bring results to the root, in programs that collect them
     * without an exchange. A measurement can leave these messages out.
     */
    public static final int RESULT_TAGS = 1 << 30;

    /** Tags are {@code KINDS * (sender * positions + receiver) + kind}. */
    private static final int KINDS = 2;

    private static final int PIECE = 0;
    private static final int TAKEN = 1;

    private static final long PIECE_BYTES_MAX = 256 << 10;

    private final DsmNode node;
    private final Messages messages;
    private final int self;
    private final int positions;

    /** Size of a piece in bytes. One piece from each pair of threads may wait at a node. */
    private final long piece;

    public Exchange(DsmNode node) {
        this.node = node;
        this.messages = node.messages();
        this.self = node.position();
        this.positions = node.positions();
        long most = Messages.BYTES_MAX / (2L * node.threads() * node.threads());
        this.piece =
                Math.max(Long.BYTES, Math.min(PIECE_BYTES_MAX, most) / Long.BYTES * Long.BYTES);
    }

    /**
     * Sends data from each thread to each thread. In round <em>k</em> a thread sends to the thread
     * <em>k</em> positions further. Collective.
     *
     * @param out the bytes to send to each thread, by position
     * @param in memory for the bytes of each thread, by position, of the lengths sent
     */
    public void swap(MemorySegment[] out, MemorySegment[] in) {
        in[self].copyFrom(out[self]);
        for (int round = 1; round < positions; round++) {
            int to = (self + round) % positions;
            int from = (self + positions - round) % positions;
            swap(to, out[to], from, in[from]);
        }
    }

    /** Sends the same data of each thread to all threads. Collective. */
    public void share(MemorySegment mine, MemorySegment[] in) {
        MemorySegment[] out = new MemorySegment[positions];
        Arrays.fill(out, mine);
        swap(out, in);
    }

    private void swap(int to, MemorySegment out, int from, MemorySegment in) {
        long end = Math.max(out.byteSize(), in.byteSize());
        for (long at = 0; at < end; at += piece) {
            if (at < out.byteSize()) {
                if (at > 0) {
                    messages.receiveLong(nodeOf(to), tag(to, self, TAKEN));
                }
                messages.send(nodeOf(to), tag(self, to, PIECE), pieceOf(out, at));
            }
            if (at < in.byteSize()) {
                messages.receive(nodeOf(from), tag(from, self, PIECE), pieceOf(in, at));
                if (at + piece < in.byteSize()) {
                    messages.send(nodeOf(from), tag(self, from, TAKEN), 0L);
                }
            }
        }
    }

    /**
     * Sends data of all threads to the root's first thread, one thread at a time. Collective.
     *
     * @param mine the bytes that this thread sends
     * @param in memory for the bytes of each thread, by position, of the lengths sent; ignored on
     *     all threads except the root's first
     */
    public void collect(MemorySegment mine, MemorySegment[] in) {
        if (self != 0) {
            for (long at = 0; at < mine.byteSize(); at += piece) {
                messages.receiveLong(0, tag(0, self, TAKEN));
                messages.send(0, tag(self, 0, PIECE), pieceOf(mine, at));
            }
            return;
        }
        in[0].copyFrom(mine);
        for (int other = 1; other < positions; other++) {
            for (long at = 0; at < in[other].byteSize(); at += piece) {
                messages.send(nodeOf(other), tag(0, other, TAKEN), 0L);
                messages.receive(nodeOf(other), tag(other, 0, PIECE), pieceOf(in[other], at));
            }
        }
    }

    private MemorySegment pieceOf(MemorySegment all, long at) {
        return all.asSlice(at, Math.min(piece, all.byteSize() - at));
    }

    private int nodeOf(int position) {
        return position / node.threads();
    }

    private int tag(int from, int to, int kind) {
        return KINDS * (from * positions + to) + kind;
    }
}
