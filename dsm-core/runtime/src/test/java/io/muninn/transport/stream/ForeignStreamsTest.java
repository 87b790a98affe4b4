package io.muninn.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.ForeignBytes;
import io.muninn.model.NodeId;
import io.muninn.transport.loop.AgentEventLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Streams of numbered frames with bytes changed, removed, repeated or added: what is delivered was
 * sent, and in this order.
 */
class ForeignStreamsTest {
    private static final Control PROOF = new Control.Proof(new Digest(1, 2, 3, 4));

    private final AgentEventLoop loop = new AgentEventLoop(ForeignStreamsTest::fail);

    private static void fail(Throwable cause) {
        throw new AssertionError(cause);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** The connection has ended. */
    private static final class Ended extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        Ended(String reason) {
            super(reason);
        }
    }

    @Test
    void streams_deliverWhatWasSent() {
        feed(ForeignBytes.FEW / 2);
    }

    @Test
    @Tag("slow")
    void aMillionStreams_deliverWhatWasSent() {
        feed(ForeignBytes.MANY);
    }

    private void feed(int inputs) {
        List<Control> sent =
                List.of(
                        new Control.Leave("a text"),
                        new Control.Finished(3, "another text"),
                        new Control.Start(),
                        new Control.Lost(NodeId.of(1), "silent"));
        List<String> bodies = new ArrayList<>();
        ByteBuf stream = Unpooled.buffer();
        Connection sender = connection();
        EmbeddedChannel from = new EmbeddedChannel(sender);
        byte[] opening = bytes(sender, from, PROOF);
        for (Control each : sent) {
            byte[] frame = bytes(sender, from, each);
            int header = FrameHeaders.NUMBERED_BYTES;
            bodies.add(ByteBufUtil.hexDump(frame, header, frame.length - header));
            stream.writeBytes(frame);
        }
        from.finishAndReleaseAll();
        byte[] valid = ByteBufUtil.getBytes(stream);
        SplittableRandom cuts = new SplittableRandom(2);
        ForeignBytes.feed(
                inputs, _ -> valid, Ended.class, bytes -> receive(opening, bytes, bodies, cuts));
    }

    private Connection connection() {
        Connection connection =
                new Connection(
                        loop, new ByteBufWriter(_ -> MemorySegment.NULL), new TransportCounters());
        connection.frameBytesMax(4_096);
        return connection;
    }

    private static byte[] bytes(Connection sender, EmbeddedChannel from, Control message) {
        sender.writeControl(message);
        sender.flush();
        ByteBuf frame = from.readOutbound();
        byte[] bytes = ByteBufUtil.getBytes(frame);
        frame.release();
        return bytes;
    }

    private void receive(byte[] opening, byte[] bytes, List<String> sent, SplittableRandom cuts) {
        Connection receiver = connection();
        EmbeddedChannel to = new EmbeddedChannel(receiver);
        List<String> delivered = new ArrayList<>();
        List<String> ends = new ArrayList<>();
        receiver.receiver(
                new Link.Receiver() {
                    @Override
                    public void onFrame(ByteBufReader frame) {
                        delivered.add(ByteBufUtil.hexDump(frame.bytes(frame.remaining())));
                    }

                    @Override
                    public void onEnd(String reason) {
                        ends.add(reason);
                    }
                });
        to.writeInbound(Unpooled.copiedBuffer(opening));
        delivered.clear();
        int cut = cuts.nextInt(bytes.length + 1);
        to.writeInbound(Unpooled.copiedBuffer(bytes, 0, cut));
        if (to.isOpen()) {
            to.writeInbound(Unpooled.copiedBuffer(bytes, cut, bytes.length - cut));
        }
        Optional<String> end = ends.stream().findFirst();
        to.finishAndReleaseAll(); // which is an end, too
        assertEquals(sent.subList(0, Math.min(sent.size(), delivered.size())), delivered);
        if (end.isPresent()) {
            throw new Ended(end.get());
        }
    }
}
