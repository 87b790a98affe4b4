package io.muninn.transport.stream;

import io.muninn.lasting.FrameNumberException;
import io.muninn.lasting.LastingLink;
import io.muninn.lasting.SentFrames;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A link to a node of another agent by TCP, which outlasts its connections: {@link LastingLink} has
 * the rules. While it has no connection, what is sent waits. What was sent is kept, in the buffers
 * that were sent, until the other node has acknowledged it.
 *
 * <p>A connection that ends without a farewell is cut, and so is one that fails: by a reset, or by
 * bytes that are not of its TLS session. Wrong bytes without TLS, and wrong numbers, end the link.
 *
 * <p><b>Threads.</b> The event loop.
 */
public final class LastingStream implements Link {
    /** Number of unacknowledged bytes at which a node is considered lost. */
    static final long KEPT_BYTES_MAX = Connection.UNSENT_BYTES_MAX;

    private final AgentEventLoop loop;
    private final TransportCounters counters;
    private final Digest token;
    private final Outbox outbox;
    private final ByteBufAllocator allocator;
    private final int frameBytesMax;
    private final LastingLink<ByteBuf> numbers;
    private @Nullable Connection carrier; // null while it has none
    private @Nullable Receiver receiver; // null until its node has it
    private @Nullable Duration retryLimit; // null until it is set
    private boolean endsInOrder;
    private boolean ended;
    private @Nullable Runnable whenClosed; // null unless it drains
    private @Nullable Cancellable drainLimit; // the same
    private String cutReason = "";
    private int cutAt; // number of the first frame that was not sent before
    private long cutNanos;

    /**
     * What it took to heal.
     *
     * @param reason why the link broke
     * @param nanos how long it had no connection
     * @param frames number of frames that were sent again
     * @param bytes of these frames, headers included
     */
    public record Healing(String reason, long nanos, int frames, long bytes) {
        /** A sentence about a link, without its subject. */
        @Override
        public String toString() {
            long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
            return "broke ("
                    + reason
                    + ") and healed after "
                    + millis
                    + " ms; "
                    + frames
                    + " frames, "
                    + bytes
                    + " bytes sent again";
        }
    }

    /**
     * Goes on with a connection that has passed the handshake.
     *
     * @param dials whether this side has dialled, and will again
     * @param first has a token
     */
    public LastingStream(
            AgentEventLoop loop, TransportCounters counters, boolean dials, Connection first) {
        this.loop = loop;
        this.counters = counters;
        token = first.token().orElseThrow();
        outbox = first.giveOutbox();
        allocator = first.channel().alloc();
        frameBytesMax = first.frameBytesMax();
        numbers =
                new LastingLink<>(
                        dials,
                        outbox.headers().next(),
                        first.nextReceived(),
                        KEPT_BYTES_MAX,
                        ByteBuf::release);
        carrier = first;
        first.carry(this);
    }

    @Override
    public void receiver(Receiver next) {
        receiver = next;
    }

    @Nullable Receiver receiver() {
        return receiver;
    }

    /** False also while it has no connection. */
    @Override
    public boolean isOpen() {
        return !ended && carrier != null;
    }

    /** False once it has ended. */
    public boolean lasts() {
        return !ended;
    }

    /** True if it waits for another connection. */
    public boolean isCut() {
        return !ended && carrier == null;
    }

    @Override
    public boolean canFallSilent() {
        return true;
    }

    @Override
    public boolean takeArrived() {
        return carrier != null && carrier.takeArrived();
    }

    @Override
    public void retryWithin(Duration limit) {
        retryLimit = limit;
        if (carrier != null) {
            carrier.retryWithin(limit);
        }
    }

    // --- sending -------------------------------------------------------------------------------

    @Override
    public int write(WireMessage message) {
        if (ended || whenClosed != null) {
            return 0;
        }
        int bytes = add(message, false);
        counters.countMessage(message.codec(), bytes);
        return bytes;
    }

    /** A heartbeat is an acknowledgement here: a frame without a body, which nobody keeps. */
    @Override
    public void writeControl(Control control) {
        if (control instanceof Control.Heartbeat) {
            acknowledge();
        } else if (!ended && whenClosed == null) {
            counters.countControl(add(control, true));
        }
    }

    private int add(WireMessage message, boolean control) {
        if (outbox.isFull()) {
            pass();
            if (ended) { // nobody would free another batch
                return 0;
            }
        }
        return outbox.add(allocator, message, control, frameBytesMax, numbers.acknowledge());
    }

    @Override
    public void flush() {
        pass();
        if (carrier != null) {
            carrier.flushBytes();
        }
    }

    /** Keeps what was written, and passes it on if there is a connection. */
    private void pass() {
        int frames = outbox.frames();
        ByteBuf batch = outbox.take();
        if (batch == null) {
            return;
        }
        if (ended || frames == 0) {
            batch.release();
            return;
        }
        boolean fits = numbers.keep(frames, batch.capacity(), batch);
        if (carrier != null) {
            carrier.write(batch.retain()); // handlers may append to it, and move its indices
        }
        if (!fits) {
            end("takes no messages: " + numbers.keptBytes() + " bytes wait");
        }
    }

    private void acknowledge() {
        pass();
        Connection present = carrier;
        if (present == null) {
            return;
        }
        ByteBuf frame = allocator.directBuffer(FrameHeaders.NUMBERED_BYTES);
        frame.writeZero(FrameHeaders.NUMBERED_BYTES);
        outbox.headers().write(frame, 0, numbers.acknowledge());
        counters.countControl(FrameHeaders.LENGTH_BYTES);
        present.write(frame);
        present.flushBytes();
    }

    // --- receiving -----------------------------------------------------------------------------

    /** A frame has arrived; an acknowledgement alone is empty. */
    void onFrame(Connection from, int number, int have, ByteBufReader frame) {
        if (from != carrier || ended) {
            return;
        }
        int bytes = frame.remaining();
        boolean isNew = false;
        try {
            if (bytes == 0) {
                numbers.acknowledged(numbers.connection(), number, have);
            } else {
                isNew = numbers.arrived(numbers.connection(), number, have, bytes);
            }
        } catch (FrameNumberException wrong) {
            end(String.valueOf(wrong.getMessage()));
            return;
        }
        if (isNew) {
            Objects.requireNonNull(receiver).onFrame(frame);
            if (endsInOrder || whenClosed != null || numbers.owesAcknowledgement()) {
                acknowledge(); // the other side may wait for it before it closes
            }
        }
        closeIfDrained();
    }

    @Override
    public void endsInOrder() {
        endsInOrder = true;
    }

    // --- cut and resume ------------------------------------------------------------------------

    /** A connection has ended. */
    void onEnd(Connection of, String reason, boolean isCut) {
        if (of != carrier || ended) {
            return;
        }
        if (isCut && !endsInOrder) {
            cut(reason);
            Objects.requireNonNull(receiver).onCut(reason);
        } else {
            end(reason);
        }
    }

    private void cut(String reason) {
        Connection last = carrier;
        if (last != null) {
            carrier = null;
            numbers.cut(numbers.connection());
            cutReason = reason;
            cutAt = numbers.nextSent();
            cutNanos = System.nanoTime();
            last.close();
        }
    }

    /** True if the other side means this link. */
    public boolean hasToken(Digest theirs) {
        return token.matches(theirs);
    }

    /** What the dialling side says on a new connection. Its old one is of no use from now on. */
    public Control.Resume dial(int self, String address) {
        cut("silent");
        return new Control.Resume(self, token, numbers.dial(), numbers.nextReceived(), address);
    }

    /** Whether a new connection may carry this link. */
    public boolean awaits(int connection) {
        return !ended && numbers.awaits(connection);
    }

    /** The number of the last attempt to dial. */
    public int attempt() {
        return numbers.attempt();
    }

    /** The number of the next frame that this side lacks. */
    public int nextReceived() {
        return numbers.nextReceived();
    }

    /**
     * The link goes on, on a connection that has passed the handshake.
     *
     * @param number of the connection, which this side awaits
     * @param from number of the first frame that the other side lacks
     */
    public void resume(Connection next, int number, int from) {
        cut("replaced by the other side");
        carrier = next;
        next.carry(this);
        int frames = 0;
        long bytes = 0;
        try {
            for (SentFrames.Unit<ByteBuf> unit : numbers.resume(number, from)) {
                int had = Math.max(0, from - unit.first());
                int start = FrameHeaders.behind(unit.content(), 0, had);
                int end = FrameHeaders.behind(unit.content(), start, unit.count() - had);
                ByteBuf lacking = unit.content().retainedSlice(start, end - start);
                if (unit.first() - cutAt < 0) {
                    frames += unit.count() - had;
                    bytes += lacking.readableBytes();
                }
                next.write(lacking);
            }
        } catch (FrameNumberException wrong) {
            end(String.valueOf(wrong.getMessage()));
            return;
        }
        if (retryLimit != null) {
            next.retryWithin(retryLimit);
        }
        acknowledge();
        counters.countHealing(frames, bytes);
        Objects.requireNonNull(receiver)
                .onHealed(new Healing(cutReason, System.nanoTime() - cutNanos, frames, bytes));
        closeIfDrained();
    }

    // --- ending --------------------------------------------------------------------------------

    @Override
    public void close() {
        free();
        Connection last = carrier;
        carrier = null;
        if (last != null) {
            last.close();
        }
    }

    private void free() {
        ended = true;
        if (drainLimit != null) {
            drainLimit.cancel();
        }
        numbers.end();
        outbox.close();
    }

    @Override
    public void finish(Runnable closed) {
        flush();
        free();
        Connection last = carrier;
        carrier = null;
        if (last == null) {
            loop.execute(closed);
        } else {
            last.finish(closed);
        }
    }

    @Override
    public void drain(Duration limit, Runnable closed) {
        if (ended) {
            loop.execute(closed);
            return;
        }
        flush();
        whenClosed = closed;
        drainLimit = loop.patience(limit.toNanos(), () -> finish(closed));
        closeIfDrained();
    }

    private void closeIfDrained() {
        Runnable closed = whenClosed;
        if (closed != null && !ended && numbers.isDrained()) {
            finish(closed);
        }
    }

    /** Ends the link, which cannot go on; its receiver is told. */
    public void giveUp(String reason) {
        end(reason);
    }

    private void end(String reason) {
        if (!ended) {
            close();
            if (whenClosed != null) {
                whenClosed.run();
            } else {
                Objects.requireNonNull(receiver).onEnd(reason);
            }
        }
    }
}
