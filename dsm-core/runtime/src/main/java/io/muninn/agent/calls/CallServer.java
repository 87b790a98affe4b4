package io.muninn.agent.calls;

import io.muninn.ipc.Call;
import io.muninn.nativefault.BrokenMemoryException;
import io.muninn.nativefault.Mailboxes;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import io.muninn.transport.net.Listener;
import io.muninn.transport.net.Refusals;
import io.muninn.transport.stream.ByteBufReader;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Receives the calls of application threads: at an abstract Unix socket, with one connection per
 * thread, and in mailboxes, for short calls.
 *
 * <p><b>Strangers.</b> A connection of another user is closed before anything is read. A connection
 * of this user has {@link #INTRODUCTION_LIMIT} to send exactly one {@link Call#HELLO} with the
 * token; anything else closes it. Nothing that arrives before the token ends the run.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
public final class CallServer {
    /** Time in which a connection must present the token. */
    static final Duration INTRODUCTION_LIMIT = Duration.ofSeconds(5);

    /** Largest number of connections without a token; one more closes the oldest. */
    static final int STRANGERS_MAX = 64;

    private static final int FRAME_BYTES_MAX = 128 << 20;
    private static final int TOKEN_BYTES = 32;
    private static final int HELLO_BYTES = 1 + TOKEN_BYTES + Integer.BYTES;

    /** Receives the calls that no router handles, and their failures. */
    public interface Calls {
        /**
         * Handles a call of a thread that has presented the token.
         *
         * @param body the call's fields; valid until this returns
         * @throws MalformedMessageException if an application never sends such fields
         */
        void onCall(CallConnection caller, int call, WireReader body);

        /** Ends the run: no application of this version sends such bytes. */
        void onMalformedCall(CallConnection caller, String reason);

        /** Ends the run: this agent failed at a call. */
        void onBadCall(CallConnection caller, Throwable cause);
    }

    private final byte[] token;
    private final Refusals refusals;
    private final Calls calls;
    private final Duration introductionLimit;
    private final Set<Introduction> strangers = new LinkedHashSet<>();
    private CallRoute route = (_, _, _) -> false;
    private Optional<CallMailboxes> mailboxes = Optional.empty();

    public CallServer(byte[] token, Refusals refusals, Calls calls) {
        this(token, refusals, calls, INTRODUCTION_LIMIT);
    }

    public CallServer(byte[] token, Refusals refusals, Calls calls, Duration introductionLimit) {
        this.token = token;
        this.refusals = refusals;
        this.calls = calls;
        this.introductionLimit = introductionLimit;
    }

    /** Offers each call to this route from now on, before {@link Calls#onCall}. */
    public void use(CallRoute taken) {
        route = taken;
    }

    /** Lets threads take mailboxes of the memory that the application has handed over. */
    public void use(Mailboxes memory) {
        mailboxes = Optional.of(new CallMailboxes(memory, calls, this::onCall));
    }

    /** Handles the calls in mailboxes. */
    public void handlePosted() {
        mailboxes.ifPresent(CallMailboxes::handlePosted);
    }

    /** Listens at an abstract name. */
    public void listen(AgentEventLoop loop, String abstractName) {
        Listener.listen(loop, abstractName, this::refused, accepted -> setUp(loop, accepted))
                .syncUninterruptibly();
    }

    private void refused(String reason) {
        refusals.add("the call socket", reason);
    }

    private void setUp(AgentEventLoop loop, Channel accepted) {
        if (strangers.size() == STRANGERS_MAX) {
            strangers.iterator().next().turnAway("too many others came without the token");
        }
        Introduction introduction = new Introduction(loop, accepted);
        strangers.add(introduction);
        accepted.pipeline().addLast(introduction);
    }

    /** Receives the first frame of a connection, which must be the token. */
    private final class Introduction extends ChannelInboundHandlerAdapter {
        private final AgentEventLoop loop;
        private final Channel channel;
        private final ByteBuf hello = Unpooled.buffer(Integer.BYTES + HELLO_BYTES);
        private Cancellable deadline = () -> {};

        Introduction(AgentEventLoop loop, Channel channel) {
            this.loop = loop;
            this.channel = channel;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            deadline =
                    loop.patience(
                            introductionLimit.toNanos(), () -> turnAway("no token came in time"));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object read) {
            ByteBuf bytes = (ByteBuf) read;
            try {
                if (!strangers.contains(this)) {
                    return; // turned away
                }
                if (bytes.readableBytes() > hello.maxFastWritableBytes()) {
                    turnAway("it sent more than a token");
                    return;
                }
                hello.writeBytes(bytes);
                checkIntroduction();
            } finally {
                bytes.release();
            }
        }

        /** Checks the length first, so that another protocol is refused at its first bytes. */
        private void checkIntroduction() {
            if (hello.readableBytes() < Integer.BYTES) {
                return;
            }
            if (hello.getIntLE(0) != HELLO_BYTES) {
                turnAway("it sent no token");
                return;
            }
            if (hello.readableBytes() == Integer.BYTES + HELLO_BYTES) {
                hello.skipBytes(Integer.BYTES);
                if (hello.readUnsignedByte() == Call.HELLO && presentsToken()) {
                    admit(hello.readIntLE());
                } else {
                    turnAway("it sent a wrong token");
                }
            }
        }

        private boolean presentsToken() {
            byte[] presented = new byte[TOKEN_BYTES];
            hello.readBytes(presented);
            return MessageDigest.isEqual(presented, token);
        }

        private void admit(int thread) {
            forget();
            CallConnection caller = new CallConnection(channel, thread);
            channel.pipeline().addLast(frames(), new Handler(caller)).remove(this);
            caller.done(0);
        }

        void turnAway(String reason) {
            forget();
            refused(reason); // before the close, so that its peer finds itself counted
            channel.close();
        }

        private void forget() {
            strangers.remove(this);
            deadline.cancel();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (strangers.contains(this)) {
                turnAway("it closed without a token");
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (strangers.contains(this)) {
                turnAway(String.valueOf(cause.getMessage()));
            }
        }
    }

    private static LengthFieldBasedFrameDecoder frames() {
        return new LengthFieldBasedFrameDecoder(
                ByteOrder.LITTLE_ENDIAN, FRAME_BYTES_MAX, 0, Integer.BYTES, 0, Integer.BYTES, true);
    }

    /** Receives the frames of a thread that has presented the token. */
    private final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
        private final CallConnection caller;

        Handler(CallConnection caller) {
            this.caller = caller;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
            handlePosted(); // a posted call may be older than this frame
            handle(calls, caller, frame, this::onFrame);
            caller.frameHandled();
            OptionalInt mailbox = caller.mailbox();
            if (mailbox.isPresent()) {
                mailboxes.orElseThrow().handleEarly(mailbox.getAsInt());
            }
        }

        private void onFrame(CallConnection from, int call, WireReader frame) {
            if (call != Call.MAILBOX) {
                CallServer.this.onCall(from, call, frame);
            } else if (mailboxes.isPresent()) {
                mailboxes.get().give(frame.u32(), from);
            } else {
                throw new MalformedMessageException("its memory has no mailboxes");
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof IOException) {
                context.close(); // the application has ended; its exit status follows
            } else if (cause instanceof DecoderException) {
                context.close();
                calls.onMalformedCall(caller, String.valueOf(cause.getMessage()));
            } else if (cause instanceof BrokenMemoryException) {
                calls.onMalformedCall(caller, String.valueOf(cause.getMessage()));
            } else {
                calls.onBadCall(caller, cause);
            }
        }
    }

    private void onCall(CallConnection caller, int call, WireReader body) {
        if (!route.onCall(caller, call, body)) {
            calls.onCall(caller, call, body);
        }
    }

    /** Handles the calls of one kind. */
    public interface CallRoute {
        /**
         * Handles a call if it is of this kind, as {@link Calls#onCall} does.
         *
         * @return false if it is of another kind; nothing of the body is read then
         */
        boolean onCall(CallConnection caller, int call, WireReader body);
    }

    /** Handles a call whose number has been read. */
    interface CallHandler {
        void onCall(CallConnection caller, int call, WireReader body);
    }

    /**
     * Decodes one call and passes it to a handler. Malformed bytes, and values that an identifier
     * or a layout rejects, are a failure of the application; any other exception is a failure of
     * this agent.
     */
    static void handle(Calls calls, CallConnection caller, ByteBuf frame, CallHandler handler) {
        String call = "an empty frame";
        try {
            WireReader body = new ByteBufReader(frame);
            int number = body.u8();
            call = "call " + number;
            handler.onCall(caller, number, body);
            if (body.remaining() != 0) {
                throw new MalformedMessageException(body.remaining() + " bytes too many");
            }
        } catch (MalformedMessageException | IllegalArgumentException malformed) {
            calls.onMalformedCall(caller, call + ": " + malformed.getMessage());
        } catch (RuntimeException | Error cause) {
            calls.onBadCall(caller, cause);
        }
    }
}
