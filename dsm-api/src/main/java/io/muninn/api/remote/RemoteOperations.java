package io.muninn.api.remote;

import io.muninn.api.Op;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A sequence of operations on the words of one home, as bytes. They are performed in order, each
 * one atomically; other operations may come in between.
 *
 * <p><b>Bytes</b>, little-endian. Each operation has a code u8 (verb, 2 bits of kind and 3 bits of
 * {@link Op}, from the highest), the offset of its word in the remote memory i64, and its operands:
 *
 * <pre>
 * verb                  operands                answer
 * 0 get                 -                       value i64
 * 1 update              operand i64             -
 * 2 get and update      operand i64             value before i64
 * 3 compare, exchange   expected, next i64      value before i64
 * 4 get words           bytes i32               the bytes
 * 5 set words           bytes i32, the bytes    -
 * </pre>
 *
 * The answers of all operations, one behind the other, are the answer of the sequence.
 */
public final class RemoteOperations {
    /** Largest number of bytes that one operation loads or stores. */
    public static final int WORDS_BYTES_MAX = 64 << 10;

    private static final int GET = 0;
    private static final int UPDATE = 1;
    private static final int GET_AND_UPDATE = 2;
    private static final int COMPARE_AND_EXCHANGE = 3;
    private static final int GET_WORDS = 4;
    private static final int SET_WORDS = 5;

    private static final int VERB_SHIFT = 5;
    private static final int KIND_SHIFT = 3;
    private static final int KINDS = 3;
    private static final int OPS = 7;

    private static final int HEAD = 1 + Long.BYTES;
    private static final int FIRST_BYTES = 64;

    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes;
    private int length;
    private int answerBytes;

    /** An empty sequence. */
    public RemoteOperations() {
        this(FIRST_BYTES);
    }

    /**
     * An empty sequence.
     *
     * @param capacity bytes for which it has room at first
     */
    public RemoteOperations(int capacity) {
        bytes = new byte[capacity];
    }

    private int add(int verb, WordKind kind, Op op, long offset, int operandBytes) {
        int at = length;
        int end = at + HEAD + operandBytes;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        bytes[at] = (byte) (verb << VERB_SHIFT | kind.code() << KIND_SHIFT | op.code());
        LONG.set(bytes, at + 1, offset);
        length = end;
        return at + HEAD;
    }

    public void get(WordKind kind, long offset) {
        add(GET, kind, Op.REPLACE, offset, 0);
        answerBytes += Long.BYTES;
    }

    public void update(WordKind kind, long offset, Op op, long operand) {
        int at = add(UPDATE, kind, op, offset, Long.BYTES);
        LONG.set(bytes, at, operand);
    }

    public void getAndUpdate(WordKind kind, long offset, Op op, long operand) {
        int at = add(GET_AND_UPDATE, kind, op, offset, Long.BYTES);
        LONG.set(bytes, at, operand);
        answerBytes += Long.BYTES;
    }

    public void compareAndExchange(WordKind kind, long offset, long expected, long next) {
        int at = add(COMPARE_AND_EXCHANGE, kind, Op.REPLACE, offset, 2 * Long.BYTES);
        LONG.set(bytes, at, expected);
        LONG.set(bytes, at + Long.BYTES, next);
        answerBytes += Long.BYTES;
    }

    /**
     * @param count bytes of whole words, 1 to {@link #WORDS_BYTES_MAX}
     */
    public void getWords(WordKind kind, long offset, int count) {
        int at = add(GET_WORDS, kind, Op.REPLACE, offset, Integer.BYTES);
        INT.set(bytes, at, count);
        answerBytes += count;
    }

    /**
     * @param source whole words, 1 to {@link #WORDS_BYTES_MAX} bytes
     */
    public void setWords(WordKind kind, long offset, MemorySegment source) {
        int count = Math.toIntExact(source.byteSize());
        int at = add(SET_WORDS, kind, Op.REPLACE, offset, Integer.BYTES + count);
        INT.set(bytes, at, count);
        MemorySegment.copy(
                source, 0, MemorySegment.ofArray(bytes), at + (long) Integer.BYTES, count);
    }

    public boolean isEmpty() {
        return length == 0;
    }

    /** Bytes of the operations so far. */
    public int length() {
        return length;
    }

    /** Bytes of the answer; 0 if no operation has one. */
    public int answerBytes() {
        return answerBytes;
    }

    /** Returns the operations as bytes, and becomes empty. */
    public byte[] take() {
        byte[] taken = Arrays.copyOf(bytes, length);
        length = 0;
        answerBytes = 0;
        return taken;
    }

    /**
     * The value at an index of an answer of values.
     *
     * @throws IndexOutOfBoundsException if the answer is shorter
     */
    public static long value(byte[] answer, int index) {
        return (long) LONG.get(answer, index * Long.BYTES);
    }

    /**
     * Checks operations that come from elsewhere.
     *
     * @param memoryBytes size of the remote memory
     * @return bytes of the answer
     * @throws IllegalArgumentException if they are malformed, or name a word that is not in memory
     */
    public static int check(byte[] operations, long memoryBytes) {
        int at = 0;
        long answer = 0;
        while (at < operations.length) {
            require(operations.length - at >= HEAD, "an operation is cut off");
            int code = operations[at] & 0xFF;
            int verb = code >>> VERB_SHIFT;
            require(verb <= SET_WORDS, "an operation has an unknown verb");
            int kind = code >>> KIND_SHIFT & 3;
            int op = code & 7;
            require(kind < KINDS && op < OPS, "an operation has an unknown kind");
            boolean isOfDoubles = kind == WordKind.DOUBLE.code();
            require(!isOfDoubles || !Op.fromCode(op).isOfBits(), "bits of a double are combined");
            long offset = (long) LONG.get(operations, at + 1);
            int left = operations.length - at - HEAD;
            int width = WordKind.fromCode(kind).bytes();
            long count = width;
            int operands = operandBytes(verb);
            require(left >= operands, "an operand is cut off");
            if (verb >= GET_WORDS) {
                count = (int) INT.get(operations, at + HEAD);
                require(
                        count > 0 && count <= WORDS_BYTES_MAX && count % width == 0,
                        "an operation has a wrong number of bytes");
                operands += verb == SET_WORDS ? (int) count : 0;
                require(left >= operands, "an operand is cut off");
            }
            require(
                    offset >= 0 && offset % width == 0 && offset <= memoryBytes - count,
                    "an operation names a word that is not in memory");
            answer += verb == GET_WORDS ? count : hasValue(verb) ? Long.BYTES : 0;
            require(answer <= Integer.MAX_VALUE / 2, "the answer is too long");
            at += HEAD + operands;
        }
        return (int) answer;
    }

    /**
     * The number of operations; words that are loaded or stored together are one. What is malformed
     * counts as one, too, and ends the count.
     */
    public static int count(byte[] operations) {
        int count = 0;
        int at = 0;
        while (at >= 0 && at < operations.length) {
            int verb = (operations[at] & 0xFF) >>> VERB_SHIFT;
            at += HEAD + operandBytes(verb);
            if (verb == SET_WORDS && at <= operations.length) {
                at += Math.max(0, (int) INT.get(operations, at - Integer.BYTES));
            }
            count++;
        }
        return count;
    }

    private static boolean hasValue(int verb) {
        return verb == GET || verb == GET_AND_UPDATE || verb == COMPARE_AND_EXCHANGE;
    }

    private static int operandBytes(int verb) {
        return switch (verb) {
            case GET -> 0;
            case UPDATE, GET_AND_UPDATE -> Long.BYTES;
            case COMPARE_AND_EXCHANGE -> 2 * Long.BYTES;
            default -> Integer.BYTES;
        };
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /**
     * Performs operations, each once, in order.
     *
     * @return the answer
     * @throws IllegalArgumentException as {@link #check}; then nothing has been performed
     */
    public static byte[] perform(byte[] operations, MemorySegment memory) {
        byte[] answer = new byte[check(operations, memory.byteSize())];
        int written = 0;
        int at = 0;
        while (at < operations.length) {
            int code = operations[at] & 0xFF;
            int verb = code >>> VERB_SHIFT;
            WordKind kind = WordKind.fromCode(code >>> KIND_SHIFT & 3);
            Op op = Op.fromCode(code & 7);
            long offset = (long) LONG.get(operations, at + 1);
            at += HEAD;
            if (verb >= GET_WORDS) {
                int count = (int) INT.get(operations, at);
                at += Integer.BYTES;
                if (verb == GET_WORDS) {
                    copy(memory, offset, MemorySegment.ofArray(answer), written, count, kind);
                    written += count;
                } else {
                    copy(MemorySegment.ofArray(operations), at, memory, offset, count, kind);
                    at += count;
                }
                continue;
            }
            if (verb == UPDATE) {
                update(memory, kind, offset, op, (long) LONG.get(operations, at));
            } else {
                LONG.set(answer, written, fetch(verb, memory, kind, offset, op, operations, at));
                written += Long.BYTES;
            }
            at += operandBytes(verb);
        }
        return answer;
    }

    private static void update(
            MemorySegment memory, WordKind kind, long offset, Op op, long operand) {
        if (op == Op.REPLACE) {
            RemoteWord.set(memory, kind, offset, operand);
        } else {
            RemoteWord.getAndUpdate(memory, kind, offset, op, operand);
        }
    }

    private static long fetch(
            int verb,
            MemorySegment memory,
            WordKind kind,
            long offset,
            Op op,
            byte[] operations,
            int at) {
        return switch (verb) {
            case GET -> RemoteWord.get(memory, kind, offset);
            case GET_AND_UPDATE ->
                    RemoteWord.getAndUpdate(
                            memory, kind, offset, op, (long) LONG.get(operations, at));
            default ->
                    RemoteWord.compareAndExchange(
                            memory,
                            kind,
                            offset,
                            (long) LONG.get(operations, at),
                            (long) LONG.get(operations, at + Long.BYTES));
        };
    }

    /** Copies words; each one is loaded and stored as a whole. Acquire and release. */
    public static void copy(
            MemorySegment source,
            long from,
            MemorySegment target,
            long to,
            int count,
            WordKind kind) {
        VarHandle.fullFence();
        if (kind == WordKind.INT) {
            for (int i = 0; i < count; i += Integer.BYTES) {
                int word = source.get(ValueLayout.JAVA_INT_UNALIGNED, from + i);
                target.set(ValueLayout.JAVA_INT_UNALIGNED, to + i, word);
            }
        } else {
            for (int i = 0; i < count; i += Long.BYTES) {
                long word = source.get(ValueLayout.JAVA_LONG_UNALIGNED, from + i);
                target.set(ValueLayout.JAVA_LONG_UNALIGNED, to + i, word);
            }
        }
        VarHandle.fullFence();
    }
}
