package io.muninn.coherence.shared;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.Reduction.Operator;
import io.muninn.api.reduction.Combination;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Element;
import io.muninn.coherence.FakeContext;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Cargo of other nodes, altered: write notices, timestamps and contributions to reductions, which
 * only their receiver reads. Notices are deposited at one node, which keeps those that it has read.
 */
class ForeignNoticesTest {
    private static final int FEW = 5_000;
    private static final int MANY = 1_000_000;
    private static final int KEPT_MAX = 100; // inputs until the node begins anew
    private static final NodeId SELF = NodeId.of(0);
    private static final NodeId OTHER = NodeId.of(1);

    private static void feed(int inputs, byte[] valid, Class<?> refusal, Consumer<byte[]> parser) {
        SplittableRandom random = new SplittableRandom(56);
        int refused = 0;
        for (int i = 0; i < inputs; i++) {
            byte[] input = changed(valid, random);
            try {
                parser.accept(input);
            } catch (RuntimeException | Error thrown) {
                if (!refusal.isInstance(thrown)) {
                    throw new AssertionError("input " + i + ": " + Arrays.toString(input), thrown);
                }
                refused++;
            }
        }
        assertTrue(refused > 0 && refused < inputs, refused + " of " + inputs + " were refused");
    }

    /** Changes up to four bytes, and sometimes cuts off the end or adds noise. */
    private static byte[] changed(byte[] valid, SplittableRandom random) {
        int length = random.nextInt(4) == 0 ? random.nextInt(valid.length + 20) : valid.length;
        byte[] bytes = Arrays.copyOf(valid, length);
        for (int i = random.nextInt(5); i > 0 && length > 0; i--) {
            int extreme = random.nextInt(3);
            bytes[random.nextInt(length)] =
                    (byte) (extreme == 0 ? -1 : extreme == 1 ? 0x7F : random.nextInt(256));
        }
        return bytes;
    }

    private static byte[] notices(WriteNotices.Order order) {
        FakeContext context = new FakeContext(1, Protocol.HOME_BASED);
        WriteNotices notices = new WriteNotices(context, order);
        for (int i = 0; i < 3; i++) {
            context.clock().stored();
            notices.add(List.of(new PageId(0, i), new PageId(0, i + 1), new PageId(0, i + 4)));
            long interval = context.clock().interval();
            context.clock().endInterval();
            context.clock().onReleasePerformed(interval);
        }
        return notices.forMessage(SELF).array();
    }

    private static void feedNotices(int inputs) {
        for (WriteNotices.Order order : WriteNotices.Order.values()) {
            WriteNotices[] node = new WriteNotices[1];
            int[] count = {0};
            feed(
                    inputs,
                    notices(order),
                    MalformedMessageException.class,
                    input -> {
                        if (count[0]++ % KEPT_MAX == 0) {
                            FakeContext context = new FakeContext(0, Protocol.HOME_BASED);
                            node[0] = new WriteNotices(context, order);
                        }
                        for (WriteNotices.Notice news : node[0].deposit(OTHER, new Bytes(input))) {
                            assertTrue(news.interval() >= 0, news::toString);
                        }
                    });
        }
    }

    private static void feedTimestamps(int inputs) {
        ByteWriter out = new ByteWriter();
        VectorTimestamp.zero(NodeId.LIVE_MAX).with(OTHER, 300).with(SELF, 1L << 40).encode(out);
        feed(
                inputs,
                out.toArray(),
                MalformedMessageException.class,
                input -> VectorTimestamp.decode(new ByteReader(input)));
    }

    private static void feedContributions(int inputs) {
        Combination sum =
                new Combination(Optional.of(Operator.SUM), Element.DOUBLE, false, false, "");
        feed(
                inputs,
                new Contribution(sum, new byte[Double.BYTES]).encode(),
                IllegalArgumentException.class,
                Contribution::decode);
    }

    @Test
    void cargo_isReadOrRefused() {
        feedNotices(FEW);
        feedTimestamps(FEW);
        feedContributions(FEW);
    }

    @Test
    @Tag("slow")
    void aMillionOfEachKindOfCargo_areReadOrRefused() {
        feedNotices(MANY);
        feedTimestamps(MANY);
        feedContributions(MANY);
    }
}
