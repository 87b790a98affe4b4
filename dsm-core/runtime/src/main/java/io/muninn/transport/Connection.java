package io.muninn.transport;

import io.muninn.nativefault.RingEnd;
import io.muninn.wire.Codecs;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.unix.DomainSocketChannelConfig;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One stream to another agent: cuts what arrives into frames, and gathers what is sent into
 * batches.
 *
 * <pre>
 *  0             4       5
 *  +-------------+-------+--------
 *  | length u32  | code  | body      little-endian; length counts code and body
 *  +-------------+-------+--------
 * </pre>
 *
 * <p>Once both ends have agreed on it, the stream goes through {@linkplain SharedStream rings} that
 * they share; the socket then only tells of the end.
 *
 * <p>It ends once, in one of three ways: {@link #fail} and an end seen on the wire tell the
 * receiver; {@link #close} and {@link #finish} are this node's own wish and tell nobody.
 */
final class Connection extends ChannelInboundHandlerAdapter implements SharedStream.Reader {
    /** Bytes of the length before each frame. */
    static final int LENGTH_BYTES = Integer.BYTES;

    /** Longest frame a process may send before it has shown the secret. */
    static final int STRANGER_FRAME_BYTES_MAX = 256;

    /** Unsent bytes at which a node that takes nothing is given up. */
    static final long UNSENT_BYTES_MAX = 1L << 30;

    private static final int BATCH_BYTES_INITIAL = 4 << 10;
    private static final int BATCH_BYTES_MAX = 64 << 10;

    /** A usual batch of more goes into a buffer that is used again and again. */
    private static final int BATCH_BYTES_SMALL = 16 << 10;

    /** A batch that is just short of its maximum, and a message with as many bytes of pages. */
    private static final int BUFFER_BYTES = 2 * BATCH_BYTES_MAX + (8 << 10);

    /** After about so many small batches a large one is usual no more. */
    private static final int USUAL_BATCHES = 16;

    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Who hears of a connection; the handshake first, then the node it belongs to. */
    interface Receiver {
        /** A frame without its length; valid during the call. */
        void onFrame(ByteBufReader frame);

        /**
         * A descriptor that {@link #awaitDescriptors} made way for; the receiver's from here on.
         */
        default void onDescriptor(int fd) {
            throw new IllegalStateException("nobody awaits descriptor " + fd);
        }

        /** The connection ended, not by this node's wish. Called once, and nothing after it. */
        void onEnd(String reason);
    }

    private final AgentEventLoop loop;
    private final ByteBufWriter writer;
    private final TransportCounters counters;
    private final Inbox inbox = new Inbox();
    private final SendBuffers buffers = new SendBuffers(BUFFER_BYTES);
    private int frameBytesMax = STRANGER_FRAME_BYTES_MAX;
    private @Nullable Receiver receiver; // null until the handshake begins
    private @Nullable Channel channel; // null until the connection is in a pipeline
    private @Nullable SharedStream shared; // null while the channel carries the bytes
    private @Nullable ByteBuf batch; // null while nothing waits for the next flush
    private int usualBytes = BATCH_BYTES_INITIAL; // of a batch, so that few have to grow
    private boolean ended; // nothing is delivered or sent any more
    private boolean finishing; // ended by finish(): the next two decide when to close
    private boolean allSent;
    private boolean otherSideEnded;
    private boolean arrived;

    Connection(AgentEventLoop loop, ByteBufWriter writer, TransportCounters counters) {
        this.loop = loop;
        this.writer = writer;
        this.counters = counters;
    }

    void receiver(Receiver next) {
        receiver = next;
    }

    void frameBytesMax(int bytes) {
        frameBytesMax = bytes;
    }

    boolean isOpen() {
        return !ended;
    }

    Channel channel() {
        Channel present = channel;
        if (present == null) {
            throw new IllegalStateException("connection is in no pipeline");
        }
        return present;
    }

    // --- sharing memory ------------------------------------------------------------------------

    /** Whether descriptors can be passed to the other side, which is then on this host. */
    boolean passesDescriptors() {
        return channel().config() instanceof DomainSocketChannelConfig;
    }

    /** Sends descriptors, which must stay open until the other side has said that it has them. */
    void passDescriptors(int... descriptors) {
        for (int fd : descriptors) {
            channel().write(new FileDescriptor(fd));
        }
        channel().flush();
    }

    /** What comes next is descriptors: nothing else may be on its way. Not from a callback. */
    void awaitDescriptors() {
        readMode(DomainSocketReadMode.FILE_DESCRIPTORS);
    }

    /** All descriptors have come. */
    void awaitBytes() {
        readMode(DomainSocketReadMode.BYTES);
    }

    private void readMode(DomainSocketReadMode mode) {
        ((DomainSocketChannelConfig) channel().config()).setReadMode(mode);
    }

    /**
     * Sends and receives through rings from now on. What was flushed before goes by the channel.
     *
     * @param end owned from here on
     */
    void share(RingEnd end) {
        if (ended) {
            end.close();
        } else {
            shared = new SharedStream(loop, end, this);
        }
    }

    /** Whether anything arrived since the last call. */
    boolean takeArrived() {
        boolean answer = arrived;
        arrived = false;
        return answer;
    }

    // --- sending -------------------------------------------------------------------------------

    /**
     * Encodes a message into the present batch; dropped if the connection has ended.
     *
     * @return bytes of its frame; 0 if it is dropped
     * @throws IllegalArgumentException if the frame exceeds the bound; nothing is sent of it then
     */
    int write(WireMessage message) {
        if (ended) {
            return 0;
        }
        int bytes = encode(message, false);
        counters.countMessage(message.codec(), bytes);
        return bytes;
    }

    /** Encodes a control message into the present batch; dropped if the connection has ended. */
    void writeControl(Control control) {
        if (!ended) {
            counters.countControl(encode(control, true));
        }
    }

    /** Hands everything written to the system; what it does not take leaves as it makes room. */
    void flush() {
        ByteBuf last = batch;
        if (last == null || ended) {
            return;
        }
        batch = null;
        int bytes = Math.min(last.readableBytes(), BATCH_BYTES_MAX);
        int less = Math.max(BATCH_BYTES_INITIAL, usualBytes - usualBytes / USUAL_BATCHES);
        usualBytes = Math.max(bytes, less);
        hand(last);
        if (shared == null) {
            channel().flush();
        }
        long unsent = unsentBytes();
        if (unsent > UNSENT_BYTES_MAX) {
            fail("takes no messages: " + unsent + " bytes wait");
        }
    }

    private void hand(ByteBuf bytes) {
        if (shared != null && channel().isOpen()) {
            shared.send(bytes);
        } else {
            channel().write(bytes); // one that is closed drops them: its rings must not outlive it
        }
    }

    private long unsentBytes() {
        if (shared != null) {
            return shared.unsentBytes();
        }
        ChannelOutboundBuffer unsent = channel().unsafe().outboundBuffer();
        return unsent == null ? 0 : unsent.totalPendingWriteBytes();
    }

    private int encode(WireMessage message, boolean control) {
        ByteBuf target = batch();
        int start = target.writerIndex();
        boolean whole = false;
        try {
            target.writeIntLE(0);
            writer.wrap(target, frameBytesMax);
            if (control) {
                writer.u8(Control.MARK);
            }
            Codecs.encode(message, writer);
            whole = true;
        } finally {
            if (!whole) {
                target.writerIndex(start); // what came before in this batch stays good
            }
        }
        int bytes = target.writerIndex() - start;
        target.setIntLE(start, bytes - LENGTH_BYTES);
        return bytes;
    }

    private ByteBuf batch() {
        ByteBuf present = batch;
        if (present != null && present.readableBytes() >= BATCH_BYTES_MAX) {
            hand(present);
            present = null;
        }
        if (present == null) {
            present =
                    usualBytes <= BATCH_BYTES_SMALL
                            ? channel().alloc().directBuffer(usualBytes)
                            : buffers.take(channel().alloc());
            batch = present;
        }
        return present;
    }

    // --- receiving -----------------------------------------------------------------------------

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel = context.channel();
        channel.config().setRecvByteBufAllocator(inbox);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
        if (read instanceof FileDescriptor passed) {
            int fd = passed.intValue();
            Receiver told = receiver;
            if (told != null) {
                loop.run(() -> told.onDescriptor(fd));
            }
            return;
        }
        arrived = true;
        ByteBuf unread = inbox.take((ByteBuf) read, channel().alloc());
        if (shared != null) {
            fail("sent " + unread.readableBytes() + " bytes beside its ring");
        }
        takeFrames(unread);
    }

    @Override
    public void onBytes(ByteBuf unread) {
        arrived = true;
        if (inbox.isEmpty()) {
            takeFrames(unread);
        }
        if (unread.isReadable() && !(inbox.isEmpty() && fitsRing(unread))) {
            ByteBuf apart = unread.readRetainedSlice(unread.readableBytes());
            takeFrames(inbox.take(apart, channel().alloc()));
        }
    }

    /** Whether the ring can hold the whole frame that begins here. */
    private static boolean fitsRing(ByteBuf unread) {
        return unread.readableBytes() < LENGTH_BYTES
                || unread.getIntLE(unread.readerIndex()) <= RingEnd.BYTES - LENGTH_BYTES;
    }

    @Override
    public void onBroken(String reason) {
        fail("broke the rings: " + reason);
    }

    private void takeFrames(ByteBuf unread) {
        unread.retain(); // a frame may end the connection
        try {
            while (!ended && takeFrame(unread)) {
                // all that are whole
            }
        } finally {
            if (ended) {
                unread.skipBytes(unread.readableBytes());
            }
            unread.release();
        }
    }

    /**
     * @return false if the next frame is not whole
     */
    private boolean takeFrame(ByteBuf in) {
        if (in.readableBytes() < LENGTH_BYTES) {
            return false;
        }
        int length = in.getIntLE(in.readerIndex());
        if (length < 1 || length > frameBytesMax) {
            fail(
                    "sent a frame of "
                            + Integer.toUnsignedString(length)
                            + " bytes, not 1.."
                            + frameBytesMax);
            return false;
        }
        if (in.readableBytes() < LENGTH_BYTES + length) {
            inbox.want(LENGTH_BYTES + length);
            return false;
        }
        in.skipBytes(LENGTH_BYTES);
        ByteBufReader frame = new ByteBufReader(in.readSlice(length));
        loop.run(() -> deliver(frame));
        return true;
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
            endSeen("closed its connection");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        endSeen("closed its connection");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        endSeen("connection failed: " + cause.getMessage());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        releaseBatch();
        if (shared != null) {
            shared.close();
        }
        buffers.close();
        inbox.close();
    }

    // --- ending --------------------------------------------------------------------------------

    /** Ends the connection because of what the other side did, and tells the receiver. */
    void fail(String reason) {
        end(reason);
    }

    /** Ends the connection now: what is not yet with the system is lost. */
    void close() {
        ended = true;
        releaseBatch();
        channel().close();
    }

    /**
     * Ends the connection in order: everything written leaves, then the other side's end is
     * awaited, at most one second, so that closing does not destroy what is still on its way to it.
     *
     * @param whenClosed called on the loop once the descriptor is closed
     */
    void finish(Runnable whenClosed) {
        flush();
        finishing = !ended;
        ended = true;
        Channel closing = channel();
        Cancellable linger = loop.schedule(LINGER_NANOS, closing::close);
        closing.closeFuture()
                .addListener(_ -> {
                    linger.cancel();
                    loop.run(whenClosed);
                });
        if (shared != null) {
            shared.whenSent(() -> endOutput(closing));
        } else {
            endOutput(closing);
        }
    }

    private void endOutput(Channel closing) {
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

    /** The channel says so; what the other side has written to its ring before is read first. */
    private void endSeen(String reason) {
        if (shared != null) {
            shared.readOnce();
        }
        end(reason);
    }

    private void end(String reason) {
        otherSideEnded = true;
        if (finishing && !allSent) {
            return; // it may still be reading: onAllSent closes, or the linger timer
        }
        boolean first = !ended;
        ended = true;
        releaseBatch();
        channel().close();
        if (first && receiver != null) {
            Receiver told = receiver;
            loop.run(() -> told.onEnd(reason));
        }
    }

    private void releaseBatch() {
        ByteBuf unsent = batch;
        if (unsent != null) {
            batch = null;
            unsent.release();
        }
    }
}
