package io.muninn.transport.stream;

import io.muninn.kernel.port.PayloadSource;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.wire.Codec;
import io.muninn.wire.WireMessage;
import io.muninn.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Bytes written by the transport, for tests of other packages. */
public final class TransportBytes {
    /** The first field of an opening frame. */
    public static final long MAGIC = Control.MAGIC;

    public static final int STRANGER_FRAME_BYTES_MAX = Connection.STRANGER_FRAME_BYTES_MAX;

    private TransportBytes() {}

    /** The codecs of every control message, by code; new messages are included automatically. */
    public static List<Codec<?>> controlCodecs() {
        List<Codec<?>> codecs = new ArrayList<>();
        for (Class<?> type : Control.class.getPermittedSubclasses()) {
            try {
                codecs.add((Codec<?>) type.getDeclaredField("CODEC").get(null));
            } catch (ReflectiveOperationException cause) {
                throw new AssertionError(type + " has no codec", cause);
            }
        }
        codecs.sort((one, other) -> Integer.compare(one.code(), other.code()));
        return codecs;
    }

    /** A heartbeat as sent, in hexadecimal. */
    public static String heartbeatFrame() {
        return frame(connection -> connection.writeControl(new Control.Heartbeat()));
    }

    /** A message as sent, in hexadecimal. */
    public static String frame(WireMessage message) {
        return frame(connection -> connection.write(message));
    }

    private static String frame(Consumer<Connection> write) {
        try (AgentEventLoop loop = new AgentEventLoop(TransportBytes::fail)) {
            Connection connection =
                    new Connection(loop, writer(MemorySegment.NULL), new TransportCounters());
            EmbeddedChannel channel = new EmbeddedChannel(connection);
            write.accept(connection);
            connection.flush();
            ByteBuf sent = channel.readOutbound();
            String text = ByteBufUtil.hexDump(sent).replaceAll("..(?=.)", "$0 ");
            sent.release();
            channel.finishAndReleaseAll();
            return text;
        }
    }

    private static void fail(Throwable cause) {
        throw new AssertionError(cause);
    }

    /** The same writer, which gives payloads checksums from now on. */
    public static WireWriter checked(WireWriter writer) {
        ((ByteBufWriter) writer).withChecksums();
        return writer;
    }

    /**
     * The encoding of some values by a live writer, in hexadecimal.
     *
     * @param payload the bytes of every payload
     */
    public static String bytes(MemorySegment payload, Consumer<WireWriter> write) {
        ByteBuf buffer = Unpooled.buffer();
        ByteBufWriter writer = writer(payload);
        writer.wrap(buffer, Short.MAX_VALUE);
        write.accept(writer);
        return ByteBufUtil.hexDump(buffer).replaceAll("..(?=.)", "$0 ");
    }

    private static ByteBufWriter writer(MemorySegment payload) {
        PayloadSource source = _ -> payload;
        return new ByteBufWriter(source);
    }
}
