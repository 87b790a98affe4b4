package io.muninn.apps;

import io.muninn.api.DsmNode;
import io.muninn.api.Messages;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Data that all threads swap, and results that the root collects, for message passing versions.
 * Data that a thread sends to another goes in pieces, each but the last confirmed before the next
 * is sent, so that little waits to be received. Nothing is sent for nothing.
 *
 * <p><b>Threads.</b> Each has an instance of its own; all make the same calls in the same order.
 * Every tag of the run's messages belongs to the exchange.
 */
public final class Exchange {
    /** Tags are {@code KINDS * (sender * positions + receiver) + kind}. */
    private static final int KINDS = 2;

    private static final int PIECE = 0;
    private static final int TAKEN = 1;

    private static final long PIECE_BYTES_MAX = 256 << 10;

    private final DsmNode node;
    private final Messages messages;
    private final int self;
    private final int positions;

    /** Bytes of a piece: one of each pair of threads may wait at a node. */
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
     * Each thread gives something to each, in rounds: in round <em>k</em> to the thread that is
     * <em>k</em> positions further. Collective.
     *
     * @param out by position, the bytes that this thread sends
     * @param in by position, memory for the bytes that it receives, of the same length
     */
    public void swap(MemorySegment[] out, MemorySegment[] in) {
        in[self].copyFrom(out[self]);
        for (int round = 1; round < positions; round++) {
            int to = (self + round) % positions;
            int from = (self + positions - round) % positions;
            swap(to, out[to], from, in[from]);
        }
    }

    /** Each thread gives the same to all. Collective. */
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
     * The root's first thread gets something of all, of one thread at a time. Collective.
     *
     * @param mine the bytes that this thread sends
     * @param in by position, memory for what the root's first thread gets, of the same length;
     *     ignored by others
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
