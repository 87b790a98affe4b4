package io.muninn.agent;

import io.muninn.client.Call;
import io.muninn.nativefault.Mailboxes;
import io.muninn.transport.AgentEventLoop;
import io.muninn.transport.Listener;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import java.io.IOException;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Where the application's threads call their agent: an abstract Unix socket, one connection per
 * thread; and a mailbox for each, for what is short.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class CallServer {
    private static final int FRAME_BYTES_MAX = 128 << 20;
    private static final int TOKEN_BYTES = 32;

    /** What the agent does with calls. */
    interface Calls {
        /**
         * A call by a thread that has said who it is.
         *
         * @param body the call's fields; valid until this returns
         */
        void onCall(CallConnection caller, int call, ByteBuf body);

        /** A call that no client sends, or that this agent fails at; the run ends. */
        void onBadCall(CallConnection caller, Throwable cause);
    }

    private final byte[] token;
    private final Calls calls;
    private Optional<CallMailboxes> mailboxes = Optional.empty();

    CallServer(byte[] token, Calls calls) {
        this.token = token;
        this.calls = calls;
    }

    /** The application has handed over its memory: its threads may take mailboxes now. */
    void use(Mailboxes memory) {
        mailboxes = Optional.of(new CallMailboxes(memory, calls));
    }

    /** Handles the calls that are in mailboxes. */
    void handlePosted() {
        mailboxes.ifPresent(CallMailboxes::handlePosted);
    }

    /** Listens; connections come as they like. */
    void listen(AgentEventLoop loop, String abstractName) {
        Listener.listen(loop, abstractName, this::setUp).syncUninterruptibly();
    }

    private void setUp(Channel accepted) {
        accepted.pipeline()
                .addLast(
                        new LengthFieldBasedFrameDecoder(
                                ByteOrder.LITTLE_ENDIAN,
                                FRAME_BYTES_MAX,
                                0,
                                Integer.BYTES,
                                0,
                                Integer.BYTES,
                                true),
                        new Handler());
    }

    private final class Handler extends SimpleChannelInboundHandler<ByteBuf> {
        private CallConnection caller = CallConnection.STRANGER;

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
            try {
                int call = frame.readUnsignedByte();
                if (caller != CallConnection.STRANGER) {
                    handlePosted(); // this frame may have been sent after a call that is there
                    onFrame(call, frame);
                } else if (call == Call.HELLO && presentsToken(frame)) {
                    caller = new CallConnection(context.channel(), frame.readIntLE());
                    caller.done(0);
                } else {
                    context.close(); // not ours
                }
            } catch (RuntimeException | Error cause) {
                calls.onBadCall(caller, cause);
            }
        }

        private void onFrame(int call, ByteBuf frame) {
            if (call == Call.MAILBOX) {
                mailboxes.orElseThrow().give(frame.readIntLE(), caller);
            } else {
                calls.onCall(caller, call, frame);
            }
            caller.frameHandled();
            OptionalInt mailbox = caller.mailbox();
            if (mailbox.isPresent()) {
                mailboxes.orElseThrow().handleEarly(mailbox.getAsInt());
            }
        }

        private boolean presentsToken(ByteBuf frame) {
            if (frame.readableBytes() != TOKEN_BYTES + Integer.BYTES) {
                return false;
            }
            byte[] presented = new byte[TOKEN_BYTES];
            frame.readBytes(presented);
            return MessageDigest.isEqual(presented, token);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            if (cause instanceof IOException) {
                context.close(); // reset by an application that ended: its exit tells
            } else {
                calls.onBadCall(caller, cause);
            }
        }
    }
}
