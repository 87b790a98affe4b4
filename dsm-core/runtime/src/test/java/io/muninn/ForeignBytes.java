package io.muninn;

import io.muninn.model.NodeId;
import io.muninn.wire.Payload;
import io.muninn.wire.WireReader;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Inputs for parsers of bytes from outside: noise, and valid inputs with bytes changed, removed,
 * repeated or added. A parser may refuse them with its documented exception; any other exception
 * fails the test with the input's number.
 */
public final class ForeignBytes {
    /** Default number of inputs of a test. */
    public static final int FEW = 20_000;

    /** Number of inputs of a test under {@code --all}, unless {@code -Dinputs} sets another. */
    public static final int MANY = Integer.getInteger("inputs", 1_000_000);

    private static final int LENGTH_MAX = 300;
    private static final int[] EXTREMES = {0, 1, 0x7F, 0x80, 0xFF};

    private ForeignBytes() {}

    /** Makes a valid input. */
    @FunctionalInterface
    public interface Source {
        byte[] next(SplittableRandom random);
    }

    /**
     * Passes inputs to a parser.
     *
     * @param parser returns, or throws {@code refusal}
     */
    public static void feed(
            int inputs,
            Source valid,
            Class<? extends RuntimeException> refusal,
            Consumer<byte[]> parser) {
        SplittableRandom random = new SplittableRandom(26);
        int refused = 0;
        for (int i = 0; i < inputs; i++) {
            byte[] input = i % 8 == 0 ? noise(random) : mutated(valid.next(random), random);
            try {
                parser.accept(input);
            } catch (RuntimeException | Error thrown) {
                if (!refusal.isInstance(thrown)) {
                    throw new AssertionError("input " + i + ": " + Arrays.toString(input), thrown);
                }
                refused++;
            }
        }
        if (refused == 0 || refused == inputs) {
            throw new AssertionError(refused + " of " + inputs + " inputs were refused");
        }
    }

    /** Up to {@value #LENGTH_MAX} bytes of any value. */
    public static byte[] noise(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(LENGTH_MAX)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A copy with up to four changes, none in one of eight. */
    public static byte[] mutated(byte[] valid, SplittableRandom random) {
        byte[] bytes = valid;
        int changes = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            bytes = changedOnce(bytes, random);
        }
        return bytes;
    }

    private static byte[] changedOnce(byte[] from, SplittableRandom random) {
        int at = random.nextInt(from.length + 1);
        int count = Math.min(1 + random.nextInt(8), from.length - at);
        byte[] bytes = from.clone();
        switch (random.nextInt(6)) {
            case 0 -> bytes = Arrays.copyOf(from, at);
            case 1 -> bytes = spliced(from, at, count, new byte[0]);
            case 2 -> bytes = spliced(from, at, 0, Arrays.copyOfRange(from, at, at + count));
            case 3 -> {
                byte[] added = new byte[1 + random.nextInt(8)];
                random.nextBytes(added);
                bytes = spliced(from, at, 0, added);
            }
            case 4 -> {
                int value = EXTREMES[random.nextInt(EXTREMES.length)];
                Arrays.fill(bytes, at, at + count, (byte) value);
            }
            default -> {
                for (int i = at; i < at + count; i++) {
                    bytes[i] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
        return bytes;
    }

    private static byte[] spliced(byte[] from, int at, int removed, byte[] added) {
        byte[] bytes = Arrays.copyOf(from, from.length - removed + added.length);
        System.arraycopy(added, 0, bytes, at, added.length);
        int rest = from.length - at - removed;
        System.arraycopy(from, at + removed, bytes, at + added.length, rest);
        return bytes;
    }

    /**
     * Fields of a message that was never sent: usually a decoder creates a valid message of any
     * kind from them.
     *
     * @param nodes nodes of the cluster
     * @param likely a frequent i64 value
     */
    public record AnyFields(SplittableRandom random, int nodes, long likely) implements WireReader {
        @Override
        public int u8() {
            return random.nextInt(random.nextBoolean() ? 3 : 256);
        }

        @Override
        public int u16() {
            return random.nextInt(4);
        }

        @Override
        public int u32() {
            return random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(4);
        }

        @Override
        public long i64() {
            return switch (random.nextInt(3)) {
                case 0 -> likely;
                case 1 -> random.nextInt(8);
                default -> random.nextLong();
            };
        }

        @Override
        public boolean flag() {
            return random.nextBoolean();
        }

        @Override
        public long nodeBits(int word) {
            return random.nextInt(1 << nodes);
        }

        @Override
        public long varint(long max) {
            return Math.min(max, random.nextInt(4));
        }

        @Override
        public NodeId node() {
            return NodeId.of(random.nextInt(nodes));
        }

        @Override
        public byte[] bytes(int length) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }

        @Override
        public byte[] sized() {
            return bytes(random.nextInt(40));
        }

        @Override
        public int remaining() {
            return Integer.MAX_VALUE;
        }

        @Override
        public Payload payload() {
            return random.nextInt(3) == 0
                    ? Payload.NONE
                    : new Payload.Received(MemorySegment.ofArray(sized()), false);
        }
    }
}
