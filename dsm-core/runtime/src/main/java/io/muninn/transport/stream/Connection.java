package io.muninn.transport.stream;

import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.transport.net.Sockets;
import io.muninn.transport.tls.TlsSession;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One stream to another agent: splits received bytes into frames, and collects sent messages into
 * batches.
 *
 * <p>{@link FrameHeaders} draws a frame. Each direction is numbered from the frame after its proof:
 * a frame that is missing, comes twice or has wrong bytes ends the connection before it is
 * delivered.
 *
 * <p>It ends once, in one of these ways: {@link #fail} and an end by the other side are reported to
 * the receiver; {@link #close} and {@link #finish} are requested by this node and not reported.
 */
public final class Connection extends ChannelInboundHandlerAdapter implements Link {
    /** Longest frame that a process may send before it has proved the secret. */
    public static final int STRANGER_FRAME_BYTES_MAX = 256;

    /** Number of unsent bytes at which a node that does not read is considered lost. */
    static final long UNSENT_BYTES_MAX = 1L << 30;

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AgentEventLoop loop;
    private final TransportCounters counters;
    private final Inbox inbox = new Inbox();
    private final ByteBufWriter writer;
    private final FrameHeaders received = new FrameHeaders();
    private int frameBytesMax = STRANGER_FRAME_BYTES_MAX;
    private @Nullable Receiver receiver; // null until the handshake begins
    private @Nullable Channel channel; // null until the connection is in a pipeline
    private boolean ended; // nothing more is delivered or sent
    private boolean finishing; // ended by finish(): the next two decide when to close
    private boolean allSent;
    private boolean otherSideEnded;
    private boolean arrived;
    private @Nullable TlsSession tls; // null without TLS
    private @Nullable Digest token; // null before the handshake, and on a Unix socket
    private @Nullable LastingStream stream; // null if it carries none
    private Outbox outbox;

    public Connection(AgentEventLoop loop, ByteBufWriter writer, TransportCounters counters) {
        this.loop = loop;
        this.writer = writer;
        this.outbox = new Outbox(writer);
        this.counters = counters;
    }

    @Override
    public void receiver(Receiver next) {
        receiver = next;
    }

    public void frameBytesMax(int bytes) {
        frameBytesMax = bytes;
    }

    /**
     * Whether numbered frames and their pages have checksums; they do until this is called, on both
     * sides of the same frame.
     */
    public void checksums(boolean on) {
        outbox.headers().checksums(on);
        received.checksums(on);
    }

    @Override
    public boolean isOpen() {
        return !ended;
    }

    public Channel channel() {
        Channel present = channel;
        if (present == null) {
            throw new IllegalStateException("connection is in no pipeline");
        }
        return present;
    }

    @Override
    public boolean canFallSilent() {
        return true;
    }

    @Override
    public void retryWithin(Duration limit) {
        Sockets.retryWithin(channel(), limit);
    }

    @Override
    public boolean takeArrived() {
        boolean answer = arrived;
        arrived = false;
        return answer;
    }

    // --- sending -------------------------------------------------------------------------------

    /** Encodes a message into the current batch. */
    @Override
    public int write(WireMessage message) {
        if (ended) {
            return 0;
        }
        int bytes = encode(message, false);
        counters.countMessage(message.codec(), bytes);
        return bytes;
    }

    @Override
    public void writeControl(Control control) {
        if (!ended) {
            counters.countControl(encode(control, true));
            if (control instanceof Control.Proof) {
                outbox.headers().number();
            }
        }
    }

    /** Tells the other side why it is refused, in as many words as fit a frame. */
    public void refuse(String text) {
        writeControl(Control.Refused.within(frameBytesMax, text));
    }

    private int encode(WireMessage message, boolean control) {
        ByteBuf full = outbox.isFull() ? outbox.take() : null;
        if (full != null) {
            channel().write(full);
        }
        return outbox.add(channel().alloc(), message, control, frameBytesMax, 0);
    }

    /** Passes everything written to the operating system; the rest is sent when it has room. */
    @Override
    public void flush() {
        ByteBuf last = ended ? null : outbox.take();
        if (last == null) {
            return;
        }
        channel().writeAndFlush(last);
        ChannelOutboundBuffer unsent = channel().unsafe().outboundBuffer();
        if (unsent != null && unsent.totalPendingWriteBytes() > UNSENT_BYTES_MAX) {
            fail("takes no messages: " + unsent.totalPendingWriteBytes() + " bytes wait");
        }
    }

    // --- lasting streams -----------------------------------------------------------------------

    /**
     * What only the two ends of this connection know, once each has proved the secret; empty on a
     * link that needs to last no longer than its connection: a Unix socket.
     */
    public Optional<Digest> token() {
        return Optional.ofNullable(token);
    }

    public void token(Digest derived) {
        token = derived;
    }

    /**
     * Gives away what collects sent messages, behind the frames of the handshake. Nothing waits in
     * it.
     */
    Outbox giveOutbox() {
        Outbox given = outbox;
        outbox = new Outbox(writer);
        return given;
    }

    /** Frames from now on are those of a stream, which also receives the end. */
    void carry(LastingStream carried) {
        stream = carried;
        received.ignoreNumbers();
    }

    /** The number of the next frame of the other side, as long as it carries no stream. */
    int nextReceived() {
        return received.next();
    }

    int frameBytesMax() {
        return frameBytesMax;
    }

    /** Sends frames of the stream, with the next {@link #flushBytes}. */
    void write(ByteBuf frames) {
        channel().write(frames);
    }

    void flushBytes() {
        channel().flush();
    }

    // --- receiving -----------------------------------------------------------------------------

    /** Other handlers read the channel first; called before the connection is in a pipeline. */
    public void readsBehindOthers() {
        inbox.bypass(true);
    }

    /** This connection reads the channel itself from now on. */
    public void readsItself() {
        inbox.bypass(false);
    }

    /** The session in front of this connection, if it has TLS. */
    public Optional<TlsSession> tls() {
        return Optional.ofNullable(tls);
    }

    public void tls(TlsSession session) {
        tls = session;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
        channel.config().setRecvByteBufAllocator(inbox);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
        arrived = true;
        ByteBuf unread = inbox.take((ByteBuf) read).retain(); // a frame may end the connection
        try {
            while (!ended && takeFrame(unread)) {
                // all complete frames
            }
        } finally {
            if (ended) {
                unread.skipBytes(unread.readableBytes());
            }
            unread.release();
        }
    }

    /**
     * @return false if the next frame is incomplete
     */
    private boolean takeFrame(ByteBuf in) {
        int headerBytes = received.bytes();
        if (in.readableBytes() < headerBytes) {
            return false;
        }
        String error = received.error(in, frameBytesMax);
        if (error != null) {
            fail(error);
            return false;
        }
        int length = in.getIntLE(in.readerIndex());
        if (in.readableBytes() < headerBytes + length) {
            inbox.want(headerBytes + length);
            return false;
        }
        boolean whole = received.accept(in);
        int number = received.isNumbered() ? received.number(in) : 0;
        int have = received.isNumbered() ? received.have(in) : 0;
        in.skipBytes(headerBytes);
        ByteBufReader frame = new ByteBufReader(in.readSlice(length));
        if (whole && stream != null) {
            LastingStream carried = stream;
            loop.run(() -> carried.onFrame(this, number, have, frame));
        } else if (whole && length > 0) {
            boolean proves = !received.isNumbered() && frame.starts(Control.Proof.CODEC);
            loop.run(() -> deliver(frame));
            if (proves) {
                received.number();
            }
        } else if (!whole) {
            fail(
                    "sent wrong bytes"
                            + about(frame.withChecksums())
                            + " in frame "
                            + received.last());
        }
        return true;
    }

    private String about(ByteBufReader frame) {
        Receiver asked = stream == null ? receiver : stream.receiver();
        return asked == null ? "" : asked.about(frame);
    }

    private void deliver(ByteBufReader frame) {
        if (receiver != null) {
            receiver.onFrame(frame);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        super.userEventTriggered(context, event);
        if (event instanceof ChannelInputShutdownEvent) {
            end("closed its connection", true);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        end("closed its connection", true);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end("connection failed: " + cause.getMessage(), true);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        outbox.close();
        inbox.close();
    }

    // --- ending --------------------------------------------------------------------------------

    /** Ends the connection because of an error of the other side, and notifies the receiver. */
    void fail(String reason) {
        end(reason, false);
    }

    /** Ends the connection now. Data not yet passed to the operating system is lost. */
    @Override
    public void close() {
        ended = true;
        outbox.drop();
        channel().close();
    }

    /**
     * Ends the connection in order: sends everything written, then waits for the other side's end,
     * at most one second, so that closing does not destroy data in transit.
     *
     * @param whenClosed called on the loop when the descriptor is closed
     */
    @Override
    public void finish(Runnable whenClosed) {
        flush();
        finishing = !ended;
        ended = true;
        Channel closing = channel();
        Cancellable linger = loop.patience(LINGER_NANOS, closing::close);
        closing.closeFuture()
                .addListener(_ -> {
                    linger.cancel();
                    loop.run(whenClosed);
                });
        closing.writeAndFlush(Unpooled.EMPTY_BUFFER)
                .addListener(_ -> onAllSent((DuplexChannel) closing));
    }

    private void onAllSent(DuplexChannel closing) {
        allSent = true;
        if (otherSideEnded) {
            closing.close();
        } else {
            closing.shutdownOutput();
        }
    }

    /**
     * @param isCut whether the connection ended, and not by what the other side has sent
     */
    private void end(String reason, boolean isCut) {
        otherSideEnded = true;
        if (finishing && !allSent) {
            return; // the other side may still read: onAllSent or the linger timer closes
        }
        boolean first = !ended;
        ended = true;
        outbox.drop();
        channel().close();
        if (first && stream != null) {
            LastingStream carried = stream;
            loop.run(() -> carried.onEnd(this, reason, isCut));
        } else if (first && receiver != null) {
            Receiver told = receiver;
            loop.run(() -> told.onEnd(reason));
        }
    }
}
