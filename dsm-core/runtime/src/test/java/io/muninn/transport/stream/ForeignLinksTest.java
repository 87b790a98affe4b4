package io.muninn.transport.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.ForeignBytes;
import io.muninn.transport.loop.AgentEventLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A lasting link whose other end sends frames and acknowledgements of any numbers, is cut, and
 * comes back with any numbers, in any order. What is delivered are the frames from 0 on, each once;
 * the link goes on, or ends once and for a reason that it documents; nothing that it kept is left.
 */
class ForeignLinksTest {
    private static final int FEW = 2_000;
    private static final int EVENTS_MAX = 30;
    private static final int BODY_BYTES = Integer.BYTES;
    private static final Digest TOKEN = new Digest(1, 2, 3, 4);
    private static final Pattern REASONS =
            Pattern.compile(
                    "(left out frames? |repeated frame |acknowledged frame |asked for frame |sent a"
                            + " frame of |sent wrong bytes in ).*");

    private final AgentEventLoop loop = new AgentEventLoop(ForeignLinksTest::fail);
    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(false);

    private static void fail(Throwable cause) {
        throw new AssertionError(cause);
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** One link. */
    private final class Run implements Link.Receiver {
        private final SplittableRandom random;
        private final boolean dials;
        private final List<EmbeddedChannel> channels = new ArrayList<>();
        private final List<String> ends = new ArrayList<>();
        private final CRC32C crc = new CRC32C();
        private final LastingStream stream;
        private int delivered;
        private int sent;
        private int acknowledged;
        private int resumes;

        Run(SplittableRandom random) {
            this.random = random;
            dials = random.nextBoolean();
            Connection first = proven();
            first.token(TOKEN);
            stream = new LastingStream(loop, new TransportCounters(), dials, first);
            stream.receiver(this);
        }

        /** A connection whose sides have proved the secret: frames are numbered. */
        private Connection proven() {
            Connection connection =
                    new Connection(
                            loop,
                            new ByteBufWriter(_ -> MemorySegment.NULL),
                            new TransportCounters());
            connection.frameBytesMax(4_096);
            connection.receiver(
                    new Link.Receiver() {
                        @Override
                        public void onFrame(ByteBufReader frame) {
                            assertTrue(frame.remaining() > 0);
                        }

                        @Override
                        public void onEnd(String reason) {
                            throw new AssertionError(reason);
                        }
                    });
            EmbeddedChannel channel = new EmbeddedChannel();
            channel.config().setAllocator(memory);
            channel.pipeline().addLast(connection);
            channels.add(channel);
            connection.writeControl(new Control.Proof(TOKEN));
            connection.flush();
            ByteBuf proof = channel.readOutbound();
            channel.writeInbound(Unpooled.copiedBuffer(proof));
            proof.release();
            return connection;
        }

        @Override
        public void onFrame(ByteBufReader frame) {
            assertEquals(List.of(), ends);
            assertEquals(delivered++, frame.u32());
        }

        @Override
        public void onCut(String reason) {
            assertEquals(List.of(), ends);
            assertTrue(stream.isCut());
        }

        @Override
        public void onHealed(LastingStream.Healing healing) {
            assertTrue(healing.frames() <= sent, healing::toString);
        }

        @Override
        public void onEnd(String reason) {
            ends.add(reason);
        }

        void run() {
            int events = 1 + random.nextInt(EVENTS_MAX);
            for (int i = 0; i < events && stream.lasts(); i++) {
                event();
            }
            assertTrue(ends.size() <= 1 && ends.isEmpty() == stream.lasts(), ends::toString);
            for (String reason : ends) {
                assertTrue(REASONS.matcher(reason).matches(), reason);
            }
            stream.close();
            channels.forEach(EmbeddedChannel::finishAndReleaseAll);
            assertEquals(0, memory.metric().usedHeapMemory());
            assertEquals(0, memory.metric().usedDirectMemory());
        }

        private void event() {
            switch (random.nextInt(16)) {
                case 0 -> arrive(frame(near(delivered), near(sent), random.nextInt(3)));
                case 1 ->
                        arrive(
                                ForeignBytes.mutated(
                                        frame(delivered, acknowledged, BODY_BYTES), random));
                case 2, 3 -> {
                    channels.getLast().close();
                    assertFalse(stream.isOpen());
                }
                case 4, 5, 6 -> resume();
                case 7 -> stream.writeControl(new Control.Heartbeat());
                case 8, 9, 10 -> {
                    stream.writeControl(new Control.Leave("frame " + sent++));
                    stream.flush();
                }
                default -> {
                    acknowledge(acknowledged + random.nextInt(sent - acknowledged + 1));
                    arrive(frame(delivered, acknowledged, random.nextInt(4) * BODY_BYTES));
                }
            }
        }

        /** What the other side has told, if it reached this one. */
        private void acknowledge(int have) {
            acknowledged = stream.isOpen() ? have : acknowledged;
        }

        private int near(int right) {
            return switch (random.nextInt(6)) {
                case 0 -> random.nextInt();
                case 1 -> right + 1 + random.nextInt(3);
                case 2 -> right - 1 - random.nextInt(3);
                default -> right;
            };
        }

        private void resume() {
            int from =
                    random.nextInt(8) == 0
                            ? near(sent)
                            : acknowledged + random.nextInt(sent - acknowledged + 1);
            int number;
            if (dials) {
                Control.Resume asked = stream.dial(1, "127.0.0.1:9");
                number = random.nextInt(8) == 0 ? near(asked.connection()) : asked.connection();
            } else {
                number = near(resumes + 1);
            }
            if (stream.awaits(number)) {
                stream.resume(proven(), number, from);
                acknowledged = stream.lasts() ? from : acknowledged;
                resumes = number;
            }
        }

        /** A frame with a right header, of any numbers. */
        private byte[] frame(int number, int have, int bytes) {
            ByteBuf body = Unpooled.buffer().writeIntLE(number).writeZero(bytes).writerIndex(bytes);
            ByteBuf frame = Unpooled.buffer();
            frame.writeIntLE(bytes).writeIntLE(number).writeIntLE(have);
            frame.writeIntLE(FrameHeaders.check(bytes, number, have));
            frame.writeIntLE(FrameHeaders.checksum(crc, body, 0, bytes)).writeBytes(body);
            return ByteBufUtil.getBytes(frame);
        }

        private void arrive(byte[] bytes) {
            EmbeddedChannel channel = channels.getLast();
            int cut = random.nextInt(bytes.length + 1);
            for (ByteBuf part :
                    List.of(
                            Unpooled.copiedBuffer(bytes, 0, cut),
                            Unpooled.copiedBuffer(bytes, cut, bytes.length - cut))) {
                if (channel.isOpen()) {
                    channel.writeInbound(part);
                } else {
                    part.release();
                }
            }
        }
    }

    @Test
    void anythingInAnyOrder_isDeliveredOnceOrEndsTheLink() {
        feed(FEW);
    }

    @Test
    @Tag("slow")
    void aMillionLinks_deliverOnceOrEnd() {
        feed(ForeignBytes.MANY);
    }

    private void feed(int inputs) {
        SplittableRandom random = new SplittableRandom(56);
        int ended = 0;
        int resumed = 0;
        int delivered = 0;
        for (int i = 0; i < inputs; i++) {
            Run run = new Run(random);
            try {
                run.run();
            } catch (RuntimeException | Error thrown) {
                throw new AssertionError("input " + i, thrown);
            }
            ended += run.ends.size();
            resumed += run.resumes == 0 ? 0 : 1;
            delivered += run.delivered;
        }
        assertTrue(ended > 0 && ended < inputs, ended + " of " + inputs);
        assertTrue(resumed > 0 && delivered > inputs, resumed + ", " + delivered);
    }
}
