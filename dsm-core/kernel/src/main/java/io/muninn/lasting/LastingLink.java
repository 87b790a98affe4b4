package io.muninn.lasting;

import java.util.List;
import java.util.function.Consumer;

/**
 * One end of a link between two nodes, which outlasts its connections: what was sent on a
 * connection that is cut, and did not arrive, is sent again on the next one. It performs no I/O and
 * knows no time; its user tells it events, and acts on what they return.
 *
 * <p>Connections have numbers, from 0. The side that dials numbers its attempts, and says on each
 * up to which frame it has received (<em>resume</em>). The listening side answers with its own
 * number (<em>resumed</em>). Each side then sends what the other lacks, in order, and goes on.
 * Frames of any other connection are dropped, however late they arrive, so nothing arrives twice or
 * behind newer frames.
 *
 * <p>An end keeps a frame until it is acknowledged. Acknowledgements are cumulative, and on every
 * frame. Beyond a bound of bytes the link ends by name: a kernel never waits when it sends, so
 * there is nobody to hold back.
 *
 * <p>Either side is Up, with connection c, or Down, after it. Only the dialling side has the events
 * dial and resumed, only the listening side has resume.
 *
 * <pre>
 *       send                frame of c   frame of another  cut of c
 * Up    keep, transmit (1)  deliver (2)  drop              →Down
 * Down  keep (1)            drop         drop              –
 *
 *       cut of another  dial          resumed     resume
 * Up    –               number, →Down –           resend, →Up (3)
 * Down  –               number        resend, →Up resend, →Up (3)
 *                                     (4)
 *
 * (1) the link ends if more is kept than the bound
 * (2) after it has discarded what the frame acknowledges. A frame that repeats one of an older
 *     connection is dropped. The link ends if frames are missing before it, if it repeats one of
 *     its own connection, or if it acknowledges what was not sent. So it does if an acknowledgement
 *     alone says that frames are missing
 * (3) with the connection of a number above c, which replaces c, and after the answer. An older
 *     number is of an attempt that was given up, or a repetition, and is turned away. The link
 *     ends if the other side asks for what it has acknowledged before, or has got what was not
 *     sent
 * (4) of the last attempt, and as (3); that of another attempt is dropped
 * </pre>
 *
 * @param <F> the content of what is sent together
 */
public final class LastingLink<F> {
    private final boolean dials;
    private final SentFrames<F> sent;
    private final ReceivedFrames received;
    private int connection; // the newest
    private int attempt; // the last, at the dialling side
    private boolean up = true;

    /**
     * An end whose connection 0 is up.
     *
     * @param dials whether this is the side that dials
     * @param firstSent number of the first frame that is sent
     * @param firstReceived number of the first frame that arrives
     * @param bytesMax how many bytes may be kept
     * @param discard receives the content of each unit once nobody needs it
     */
    public LastingLink(
            boolean dials, int firstSent, int firstReceived, long bytesMax, Consumer<F> discard) {
        this.dials = dials;
        sent = new SentFrames<>(firstSent, bytesMax, discard);
        received = new ReceivedFrames(firstReceived);
    }

    /** True if frames can be transmitted. */
    public boolean isUp() {
        return up;
    }

    /** The number of the last attempt, at the dialling side. */
    public int attempt() {
        return attempt;
    }

    /** The number of the newest connection. */
    public int connection() {
        return connection;
    }

    // --- sending -------------------------------------------------------------------------------

    /** The number of the next frame to be kept. */
    public int nextSent() {
        return sent.next();
    }

    /**
     * Keeps frames, which get the next numbers. They are to be transmitted at once if the link is
     * up; else {@link #resume} returns them.
     *
     * @param bytes that they occupy here
     * @return false if the bound is passed, so that the link must end
     */
    public boolean keep(int frames, long bytes, F content) {
        return sent.keep(frames, bytes, content);
    }

    /** Bytes of what is kept. */
    public long keptBytes() {
        return sent.bytes();
    }

    /** True if the other node has acknowledged everything. */
    public boolean isDrained() {
        return sent.isEmpty();
    }

    /** The acknowledgement for a frame that is about to be sent. */
    public int acknowledge() {
        return received.tell();
    }

    /** True if so much has arrived since the last acknowledgement that one should be sent. */
    public boolean owesAcknowledgement() {
        return received.owes();
    }

    // --- receiving -----------------------------------------------------------------------------

    /** The number of the next frame to be delivered. */
    public int nextReceived() {
        return received.next();
    }

    /**
     * A frame has arrived.
     *
     * @param onConnection number of its connection
     * @param acknowledged the other node has all frames before this number
     * @param bytes that the other node may keep for it
     * @return true if it is to be delivered, false if it is to be dropped
     * @throws FrameNumberException if its numbers are wrong; the link must end
     */
    public boolean arrived(int onConnection, int number, int acknowledged, long bytes) {
        if (!up || onConnection != connection) {
            return false;
        }
        sent.acknowledge(acknowledged);
        return received.arrived(number, bytes);
    }

    /**
     * An acknowledgement has arrived without a frame.
     *
     * @param next number of the frame that the other node sends next
     * @throws FrameNumberException if it is of what was not sent, or if a frame before it has not
     *     arrived; the link must end
     */
    public void acknowledged(int onConnection, int next, int before) {
        if (up && onConnection == connection) {
            sent.acknowledge(before);
            received.awaits(next);
        }
    }

    // --- connections ---------------------------------------------------------------------------

    /**
     * A connection is cut.
     *
     * @return true if it was the one in use: the link is down from now on
     */
    public boolean cut(int ofConnection) {
        if (!up || ofConnection != connection) {
            return false;
        }
        up = false;
        return true;
    }

    /**
     * The dialling side is about to ask to resume. Its old connection is of no use from now on.
     *
     * @return the number of the new connection, if it is accepted
     */
    public int dial() {
        up = false;
        attempt = Math.max(attempt, connection) + 1;
        return attempt;
    }

    /**
     * True if a connection may become the one in use: at the listening side, any that is newer; at
     * the dialling side, that of the last attempt.
     */
    public boolean awaits(int newConnection) {
        return newConnection > connection && (!dials || newConnection == attempt);
    }

    /**
     * The other side has asked to resume, or has agreed. The link is up, on the new connection.
     *
     * @param newConnection one that this side awaits
     * @param from number of the first frame that the other side lacks
     * @return what to send again on the new connection, before anything else
     * @throws FrameNumberException if this side no longer has these frames, or never had; the link
     *     must end
     */
    public List<SentFrames.Unit<F>> resume(int newConnection, int from) {
        if (!awaits(newConnection)) {
            throw new IllegalArgumentException(
                    "connection " + newConnection + " is not newer than " + connection);
        }
        List<SentFrames.Unit<F>> lacking = sent.resume(from);
        connection = newConnection;
        up = true;
        received.connected();
        return lacking;
    }

    /** Discards everything that is kept: the link has ended. */
    public void end() {
        up = false;
        sent.clear();
    }
}
