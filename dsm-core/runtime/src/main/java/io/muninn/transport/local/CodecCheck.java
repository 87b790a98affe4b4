package io.muninn.transport.local;

import io.muninn.transport.stream.ByteBufReader;
import io.muninn.transport.stream.ByteBufWriter;
import io.muninn.transport.stream.Control;
import io.muninn.wire.Codecs;
import io.muninn.wire.WireMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Compares messages between nodes of one agent with their encodings, which would otherwise not be
 * decoded.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class CodecCheck {
    private final Codecs codecs;
    private final ByteBufWriter writer =
            new ByteBufWriter(name -> {
                throw new IllegalStateException("no bytes for " + name);
            });

    /**
     * @param codecs of all messages except those of the transport
     */
    CodecCheck(Codecs codecs) {
        this.codecs = codecs;
    }

    /**
     * Decodes a frame and encodes the result.
     *
     * @throws IllegalStateException if the bytes differ
     */
    void decode(ByteBuf frame) {
        ByteBufReader reader = new ByteBufReader(frame.duplicate());
        boolean isControl = reader.startsControl();
        WireMessage decoded = isControl ? Control.decode(reader) : codecs.decode(reader);
        compare(decoded, frame, "is decoded as");
    }

    /**
     * Encodes a message that is about to be delivered.
     *
     * @throws IllegalStateException if its encoding differs from the one when it was sent
     */
    void compare(WireMessage message, ByteBuf frame) {
        compare(message, frame, "has become");
    }

    private void compare(WireMessage message, ByteBuf frame, String how) {
        ByteBuf encoded = Unpooled.buffer(frame.readableBytes());
        writer.wrap(encoded, frame.readableBytes());
        if (message instanceof Control) {
            writer.u8(Control.MARK);
        }
        Codecs.encode(message, writer);
        if (!encoded.equals(frame)) {
            throw new IllegalStateException(
                    "a message sent as " + frame.readableBytes() + " bytes " + how + " " + message);
        }
    }
}
