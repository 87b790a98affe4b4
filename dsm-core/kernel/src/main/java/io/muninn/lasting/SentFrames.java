package io.muninn.lasting;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The frames of one direction of a link that the other node may lack. Frames are kept in the units
 * in which they were sent: several frames may share one buffer. Numbers count frames, modulo 2^32.
 *
 * @param <F> the content of a unit
 */
public final class SentFrames<F> {
    /**
     * Frames that were sent together.
     *
     * @param first number of the first
     * @param count number of frames, at least 1
     * @param bytes that they occupy here
     */
    public record Unit<F>(int first, int count, long bytes, F content) {
        private int end() {
            return first + count;
        }
    }

    private final long bytesMax;
    private final Consumer<F> discard;
    private final ArrayDeque<Unit<F>> kept = new ArrayDeque<>();
    private int next; // number of the next frame
    private int acknowledged; // the other node has all frames before this number
    private long bytes;

    /**
     * @param first number of the first frame
     * @param bytesMax how many bytes may be kept
     * @param discard receives the content of each unit once nobody needs it
     */
    SentFrames(int first, long bytesMax, Consumer<F> discard) {
        next = first;
        acknowledged = first;
        this.bytesMax = bytesMax;
        this.discard = discard;
    }

    /** The number of the next frame. */
    int next() {
        return next;
    }

    /**
     * Keeps the next frames until they are acknowledged.
     *
     * @return false if the bound is passed: the other node takes too little, and the link must end
     */
    boolean keep(int count, long unitBytes, F content) {
        kept.add(new Unit<>(next, count, unitBytes, content));
        next += count;
        bytes += unitBytes;
        return bytes <= bytesMax;
    }

    /**
     * The other node has all frames before a number. An acknowledgement that was overtaken by a
     * later one means nothing.
     *
     * @throws FrameNumberException if it was not sent
     */
    void acknowledge(int before) {
        if (before - next > 0) {
            throw new FrameNumberException(
                    "acknowledged frame " + text(before - 1) + ", but " + text(next) + " is next");
        }
        if (before - acknowledged > 0) {
            acknowledged = before;
            while (!kept.isEmpty() && kept.getFirst().end() - before <= 0) {
                Unit<F> unit = kept.removeFirst();
                bytes -= unit.bytes;
                discard.accept(unit.content);
            }
        }
    }

    /**
     * On a new connection, the other node asks for the frames from a number.
     *
     * @return the units to send again, oldest first; the first of them may begin with frames that
     *     the other node has, which it drops
     * @throws FrameNumberException if frames from that number on were discarded, or it was not sent
     */
    List<Unit<F>> resume(int from) {
        if (from - acknowledged < 0) {
            throw new FrameNumberException(
                    "asked for frame "
                            + text(from)
                            + ", but has acknowledged all before "
                            + text(acknowledged));
        }
        acknowledge(from);
        return new ArrayList<>(kept);
    }

    /** True if the other node has everything. */
    boolean isEmpty() {
        return kept.isEmpty();
    }

    /** Bytes of the units that are kept. */
    long bytes() {
        return bytes;
    }

    /** Discards everything: the link has ended. */
    void clear() {
        kept.forEach(unit -> discard.accept(unit.content));
        kept.clear();
        bytes = 0;
        acknowledged = next;
    }

    private static String text(int number) {
        return Integer.toUnsignedString(number);
    }
}
