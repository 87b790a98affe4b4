package io.muninn.api.reduction;

import io.muninn.api.DoubleAt;
import io.muninn.api.LongAt;
import io.muninn.api.shipping.ValueCoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Contributions of one type as bytes: elements one after the other, little-endian. Every NaN is the
 * canonical one.
 *
 * @param <T> of a contribution
 */
public final class Values<T> {
    private static final byte[] NONE = {};

    public static final Values<Integer> INT =
            new Values<>(v -> buffer(Integer.BYTES).putInt(v).array(), b -> wrap(b).getInt());
    public static final Values<Long> LONG =
            new Values<>(v -> buffer(Long.BYTES).putLong(v).array(), b -> wrap(b).getLong());
    public static final Values<Float> FLOAT =
            new Values<>(
                    v -> buffer(Float.BYTES).putInt(Float.floatToIntBits(v)).array(),
                    b -> wrap(b).getFloat());
    public static final Values<Double> DOUBLE =
            new Values<>(
                    v -> buffer(Double.BYTES).putLong(Double.doubleToLongBits(v)).array(),
                    b -> wrap(b).getDouble());
    public static final Values<LongAt> LONG_AT =
            new Values<>(
                    v -> buffer(2 * Long.BYTES).putLong(v.value()).putLong(v.index()).array(),
                    b -> new LongAt(wrap(b).getLong(), wrap(b).getLong(Long.BYTES)));
    public static final Values<DoubleAt> DOUBLE_AT =
            new Values<>(
                    v ->
                            buffer(2 * Long.BYTES)
                                    .putLong(Double.doubleToLongBits(v.value()))
                                    .putLong(v.index())
                                    .array(),
                    b -> new DoubleAt(wrap(b).getDouble(), wrap(b).getLong(Long.BYTES)));
    public static final Values<int[]> INTS =
            new Values<>(v -> (long) v.length * Integer.BYTES, Values::ofInts, Values::toInts);
    public static final Values<long[]> LONGS =
            new Values<>(v -> (long) v.length * Long.BYTES, Values::ofLongs, Values::toLongs);
    public static final Values<float[]> FLOATS =
            new Values<>(v -> (long) v.length * Float.BYTES, Values::ofFloats, Values::toFloats);
    public static final Values<double[]> DOUBLES =
            new Values<>(v -> (long) v.length * Double.BYTES, Values::ofDoubles, Values::toDoubles);

    private final ToLongFunction<T> bytes;
    private final Function<T, byte[]> write;
    private final Function<byte[], T> read;

    /** For a type whose length is known only when the value is written. */
    private Values(Function<T, byte[]> write, Function<byte[], T> read) {
        this(_ -> 0, write, read);
    }

    private Values(ToLongFunction<T> bytes, Function<T, byte[]> write, Function<byte[], T> read) {
        this.bytes = bytes;
        this.write = write;
        this.read = read;
    }

    /** Values that an application combines by itself. */
    public static <T> Values<T> of(ValueCoder<T> coder) {
        return new Values<>(coder::write, coder::read);
    }

    /**
     * @param bytesMax largest permitted length of an array
     * @throws IllegalArgumentException if it is longer
     */
    public byte[] write(T value, int bytesMax) {
        long wanted = bytes.applyAsLong(value);
        byte[] written = wanted > bytesMax ? NONE : write.apply(value);
        long length = Math.max(wanted, written.length);
        if (length > bytesMax) {
            throw new IllegalArgumentException(
                    "a contribution of " + length + " bytes, more than " + bytesMax);
        }
        return written;
    }

    public T read(byte[] bytes) {
        return read.apply(bytes);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer wrap(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] ofInts(int[] values) {
        ByteBuffer out = buffer(values.length * Integer.BYTES);
        out.asIntBuffer().put(values);
        return out.array();
    }

    private static int[] toInts(byte[] bytes) {
        int[] values = new int[bytes.length / Integer.BYTES];
        wrap(bytes).asIntBuffer().get(values);
        return values;
    }

    private static byte[] ofLongs(long[] values) {
        ByteBuffer out = buffer(values.length * Long.BYTES);
        out.asLongBuffer().put(values);
        return out.array();
    }

    private static long[] toLongs(byte[] bytes) {
        long[] values = new long[bytes.length / Long.BYTES];
        wrap(bytes).asLongBuffer().get(values);
        return values;
    }

    private static byte[] ofFloats(float[] values) {
        ByteBuffer out = buffer(values.length * Float.BYTES);
        for (float value : values) {
            out.putInt(Float.floatToIntBits(value));
        }
        return out.array();
    }

    private static float[] toFloats(byte[] bytes) {
        float[] values = new float[bytes.length / Float.BYTES];
        wrap(bytes).asFloatBuffer().get(values);
        return values;
    }

    private static byte[] ofDoubles(double[] values) {
        ByteBuffer out = buffer(values.length * Double.BYTES);
        for (double value : values) {
            out.putLong(Double.doubleToLongBits(value));
        }
        return out.array();
    }

    private static double[] toDoubles(byte[] bytes) {
        double[] values = new double[bytes.length / Double.BYTES];
        wrap(bytes).asDoubleBuffer().get(values);
        return values;
    }
}
