package io.muninn.api.remote;

import io.muninn.api.Comparison;
import io.muninn.api.Op;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The operations on one word of memory, by atomic instructions of the processor. All processes that
 * map the memory perform these, so the operations on one word are linearizable.
 *
 * <p><b>Order.</b> {@link #get} is an acquire, {@link #set} a release; the others are both.
 *
 * <p><b>Threads.</b> Any.
 */
public final class RemoteWord {
    private static final VarHandle LONGS = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INTS = ValueLayout.JAVA_INT.varHandle();

    private RemoteWord() {}

    public static long get(MemorySegment memory, WordKind kind, long offset) {
        return kind == WordKind.INT
                ? (int) INTS.getAcquire(memory, offset)
                : (long) LONGS.getAcquire(memory, offset);
    }

    public static void set(MemorySegment memory, WordKind kind, long offset, long value) {
        if (kind == WordKind.INT) {
            INTS.setRelease(memory, offset, (int) value);
        } else {
            LONGS.setRelease(memory, offset, value);
        }
    }

    /**
     * Combines a word with an operand.
     *
     * @return the value before
     */
    public static long getAndUpdate(
            MemorySegment memory, WordKind kind, long offset, Op op, long operand) {
        if (kind == WordKind.INT) {
            return getAndUpdateInt(memory, offset, op, (int) operand);
        }
        return switch (op) {
            case REPLACE -> (long) LONGS.getAndSet(memory, offset, operand);
            case SUM ->
                    kind == WordKind.LONG
                            ? (long) LONGS.getAndAdd(memory, offset, operand)
                            : combine(memory, kind, offset, op, operand);
            case AND -> (long) LONGS.getAndBitwiseAnd(memory, offset, operand);
            case OR -> (long) LONGS.getAndBitwiseOr(memory, offset, operand);
            case XOR -> (long) LONGS.getAndBitwiseXor(memory, offset, operand);
            case MIN, MAX -> combine(memory, kind, offset, op, operand);
        };
    }

    private static long combine(
            MemorySegment memory, WordKind kind, long offset, Op op, long operand) {
        while (true) {
            long before = (long) LONGS.getVolatile(memory, offset);
            long after =
                    kind == WordKind.LONG
                            ? combined(op, before, operand)
                            : Double.doubleToRawLongBits(
                                    combined(
                                            op,
                                            Double.longBitsToDouble(before),
                                            Double.longBitsToDouble(operand)));
            if (LONGS.compareAndSet(memory, offset, before, after)) {
                return before;
            }
        }
    }

    private static int getAndUpdateInt(MemorySegment memory, long offset, Op op, int operand) {
        return switch (op) {
            case REPLACE -> (int) INTS.getAndSet(memory, offset, operand);
            case SUM -> (int) INTS.getAndAdd(memory, offset, operand);
            case AND -> (int) INTS.getAndBitwiseAnd(memory, offset, operand);
            case OR -> (int) INTS.getAndBitwiseOr(memory, offset, operand);
            case XOR -> (int) INTS.getAndBitwiseXor(memory, offset, operand);
            case MIN, MAX -> {
                int before;
                do {
                    before = (int) INTS.getVolatile(memory, offset);
                } while (!INTS.compareAndSet(
                        memory, offset, before, (int) combined(op, before, operand)));
                yield before;
            }
        };
    }

    private static long combined(Op op, long left, long right) {
        return op == Op.MIN ? Math.min(left, right) : Math.max(left, right);
    }

    private static double combined(Op op, double left, double right) {
        return switch (op) {
            case SUM -> left + right;
            case MIN -> Math.min(left, right);
            default -> Math.max(left, right);
        };
    }

    /**
     * Stores a value if the word has the expected one. Doubles are compared by their bits.
     *
     * @return the value before: {@code expected} if {@code next} was stored
     */
    public static long compareAndExchange(
            MemorySegment memory, WordKind kind, long offset, long expected, long next) {
        return kind == WordKind.INT
                ? (int) INTS.compareAndExchange(memory, offset, (int) expected, (int) next)
                : (long) LONGS.compareAndExchange(memory, offset, expected, next);
    }

    /** Whether a comparison of a word's value with another value holds. */
    public static boolean holds(WordKind kind, long value, Comparison comparison, long other) {
        return kind == WordKind.DOUBLE
                ? comparison.holds(Double.longBitsToDouble(value), Double.longBitsToDouble(other))
                : comparison.holds(value, other);
    }
}
