package io.muninn.lasting;

/**
 * The numbers of the frames that have arrived in one direction of a link.
 *
 * <p>Within a connection each number follows the one before: a gap or a repetition is an error. The
 * first frames of a new connection may repeat frames that arrived on an older one; they are
 * dropped.
 */
public final class ReceivedFrames {
    /** After so many frames, or so many bytes, the other node should be told. */
    static final int UNTOLD_FRAMES_MAX = 1_024;

    static final long UNTOLD_BYTES_MAX = 1 << 20;

    private int next; // number of the next frame to be delivered
    private int nextHere; // the same on this connection: behind it while frames are repeated
    private boolean isFirstHere; // no frame has arrived on this connection
    private int told; // the other node knows that all frames before this number have arrived
    private long untoldBytes;

    /**
     * @param first number of the first frame
     */
    ReceivedFrames(int first) {
        next = first;
        nextHere = first;
        told = first;
    }

    /** The number of the next frame: all before it have arrived. */
    int next() {
        return next;
    }

    /** A new connection begins. */
    void connected() {
        isFirstHere = true;
    }

    /**
     * A frame has arrived on the newest connection.
     *
     * @return true if it is new, false if it is to be dropped
     * @throws FrameNumberException if frames are missing before it, or it repeats one of this
     *     connection
     */
    boolean arrived(int number, long bytes) {
        int due = isFirstHere && number - next < 0 ? number : isFirstHere ? next : nextHere;
        refuseGap(due, number);
        if (number != due) {
            throw new FrameNumberException(
                    "repeated frame " + text(number) + " where " + text(due) + " was due");
        }
        isFirstHere = false;
        nextHere = number + 1;
        if (number != next) {
            return false;
        }
        next = nextHere;
        untoldBytes += bytes;
        return true;
    }

    /**
     * The other node has sent everything before a frame on the newest connection.
     *
     * @throws FrameNumberException if some of it has not arrived
     */
    void awaits(int number) {
        refuseGap(next, number);
    }

    private static void refuseGap(int due, int number) {
        if (number - due > 0) {
            throw new FrameNumberException(
                    number - due == 1
                            ? "left out frame " + text(due)
                            : "left out frames " + text(due) + " to " + text(number - 1));
        }
    }

    /** True if the other node should be told before it keeps too much. */
    boolean owes() {
        return next - told >= UNTOLD_FRAMES_MAX || untoldBytes >= UNTOLD_BYTES_MAX;
    }

    /**
     * The other node is told which frames have arrived.
     *
     * @return the number of the next frame
     */
    int tell() {
        told = next;
        untoldBytes = 0;
        return next;
    }

    private static String text(int number) {
        return Integer.toUnsignedString(number);
    }
}
