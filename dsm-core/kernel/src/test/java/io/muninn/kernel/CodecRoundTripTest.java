package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Op;
import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordKind;
import io.muninn.coherence.lazy.LazyMessages.DiffName;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.Copyset;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.RemoteMessage;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.Codec;
import io.muninn.wire.Codecs;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every message of every kernel: a node reads exactly the bytes that another node writes. */
class CodecRoundTripTest {
    private static final int CHANGED = 500;
    private static final int SAMPLES = 15;

    private final Codecs codecs = new Codecs(NodeKernel.codecs());

    static List<Codec<?>> everyCodec() {
        return NodeKernel.codecs();
    }

    @Test
    void codesAndNames_areUnique() {
        Set<Integer> codes = new LinkedHashSet<>();
        Set<String> names = new LinkedHashSet<>();
        for (Codec<?> codec : everyCodec()) {
            assertTrue(codes.add(codec.code()), codec.name());
            assertTrue(names.add(codec.name()), codec.name());
        }
    }

    @Test
    void codecsThatShareACode_areRefused() {
        Codec<?> codec = everyCodec().getFirst();

        assertThrows(IllegalArgumentException.class, () -> new Codecs(List.of(codec, codec)));
    }

    @ParameterizedTest
    @MethodSource("everyCodec")
    void message_comesBackEqual(Codec<?> codec) {
        Random random = new Random(codec.code());
        for (int i = 0; i < SAMPLES; i++) {
            WireMessage sent = sample(codec, random);

            WireMessage received = codecs.decode(new ByteReader(encode(sent)));

            assertEquals(codec.type(), received.getClass());
            assertEquals(codec, received.codec());
            assertRecordEquals(sent, received);
            assertArrayEquals(encode(sent), encode(received));
        }
    }

    @ParameterizedTest
    @MethodSource("everyCodec")
    void messageCutShort_isMalformed(Codec<?> codec) {
        Random random = new Random(codec.code());
        for (int i = 0; i < SAMPLES; i++) {
            byte[] frame = encode(sample(codec, random));
            for (int length = 0; length < frame.length; length++) {
                byte[] cut = Arrays.copyOf(frame, length);
                assertThrows(
                        MalformedMessageException.class,
                        () -> codecs.decode(new ByteReader(cut)),
                        codec.name() + " of " + length + " bytes");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("everyCodec")
    void messageWithBytesLeftOver_isMalformed(Codec<?> codec) {
        byte[] frame = encode(sample(codec, new Random(codec.code())));
        byte[] longer = Arrays.copyOf(frame, frame.length + 1);

        assertThrows(MalformedMessageException.class, () -> codecs.decode(new ByteReader(longer)));
    }

    @ParameterizedTest
    @MethodSource("everyCodec")
    void messageOfRandomBytes_isReadOrMalformedAndNothingElse(Codec<?> codec) {
        Random random = new Random(codec.code());
        for (int i = 0; i < CHANGED; i++) {
            byte[] frame = encode(sample(codec, random));
            for (int j = 0; j <= random.nextInt(3); j++) {
                if (frame.length > 1) {
                    frame[1 + random.nextInt(frame.length - 1)] = (byte) random.nextInt();
                }
            }
            assertReadsOrIsMalformed(frame);
        }
    }

    @Test
    void unknownCode_isMalformed() {
        assertThrows(
                MalformedMessageException.class,
                () -> codecs.decode(new ByteReader(new byte[] {0})));
        assertThrows(
                MalformedMessageException.class,
                () -> codecs.decode(new ByteReader(new byte[] {(byte) 0xFF})));
    }

    private void assertReadsOrIsMalformed(byte[] frame) {
        try {
            codecs.decode(new ByteReader(frame));
        } catch (MalformedMessageException expected) {
            assertTrue(expected.getMessage().length() > 0);
        } catch (RuntimeException other) {
            throw new AssertionError(
                    "bytes from outside " + Arrays.toString(frame) + " throw " + other, other);
        }
    }

    private static byte[] encode(WireMessage message) {
        ByteWriter frame = new ByteWriter(CodecRoundTripTest::bytes);
        Codecs.encode(message, frame);
        return frame.toArray();
    }

    private static MemorySegment bytes(Payload payload) {
        return switch (payload) {
            case Payload.Received(MemorySegment bytes, _) -> bytes;
            default -> throw new AssertionError("samples name received bytes only: " + payload);
        };
    }

    // samples, made from the components of the records

    private static WireMessage sample(Codec<?> codec, Random random) {
        return (WireMessage) sample(codec.type(), random);
    }

    private static Object sample(Type type, Random random) {
        return switch (type) {
            case ParameterizedType list -> {
                Type item = list.getActualTypeArguments()[0];
                yield random.ints(random.nextInt(4)).mapToObj(_ -> sample(item, random)).toList();
            }
            case Class<?> plain -> sampleOf(plain, random);
            default -> throw new AssertionError("no samples of " + type);
        };
    }

    private static Object sampleOf(Class<?> type, Random random) {
        if (type == int.class) {
            return random.nextInt();
        } else if (type == long.class) {
            return random.nextLong();
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == String.class) {
            return "wait for node " + random.nextInt() + " \u00fc";
        } else if (type == NodeId.class) {
            return NodeId.of(random.nextInt(NodeId.LIVE_MAX));
        } else if (type == PageId.class) {
            return new PageId(random.nextInt(1 << 16), random.nextInt(Integer.MAX_VALUE));
        } else if (type == LockId.class) {
            return new LockId("lock" + random.nextInt());
        } else if (type == BarrierId.class) {
            return new BarrierId("barrier" + random.nextInt());
        } else if (type == Bytes.class) {
            return new Bytes(someBytes(random));
        } else if (type == Copyset.class) {
            return Copyset.ofWords(random.nextLong());
        } else if (type == DatedCopyset.Ended.class) {
            return new DatedCopyset.Ended(
                    NodeId.of(random.nextInt(NodeId.LIVE_MAX)), random.nextInt() >>> 1);
        } else if (type == AppliedDiffs.Last.class) {
            return new AppliedDiffs.Last(
                    NodeId.of(random.nextInt(NodeId.LIVE_MAX)),
                    random.nextLong() >>> 1 + random.nextInt(Long.SIZE - 1));
        } else if (type == DiffName.class) {
            return new DiffName(
                    NodeId.of(random.nextInt(NodeId.LIVE_MAX)),
                    random.nextLong() >>> 1 + random.nextInt(Long.SIZE - 1));
        } else if (type == Cargo.class) {
            return Cargo.NONE
                    .with(random.nextInt(256), new Bytes(someBytes(random)))
                    .with(random.nextInt(256), new Bytes(someBytes(random)));
        } else if (type == VectorTimestamp.class) {
            NodeId node = NodeId.of(random.nextInt(NodeId.LIVE_MAX));
            return VectorTimestamp.zero(NodeId.LIVE_MAX).with(node, random.nextLong() >>> 1);
        } else if (type == Payload.class) {
            return samplePayload(random);
        } else if (type == RemoteMessage.RemoteRequest.class) {
            return new RemoteMessage.RemoteRequest(random.nextLong(), operations(random));
        } else if (type.isEnum()) {
            return type.getEnumConstants()[random.nextInt(type.getEnumConstants().length)];
        } else if (type.isRecord()) {
            return sampleRecord(type, random);
        }
        throw new AssertionError("no samples of " + type);
    }

    /** Operations on words; of other bytes a request is malformed. */
    private static Bytes operations(Random random) {
        RemoteOperations operations = new RemoteOperations();
        for (int i = random.nextInt(4); i >= 0; i--) {
            long offset = (long) Long.BYTES * random.nextInt(100);
            operations.get(WordKind.LONG, offset);
            operations.getAndUpdate(WordKind.INT, offset, Op.SUM, random.nextInt());
            operations.compareAndExchange(WordKind.LONG, offset, random.nextLong(), 1);
        }
        return new Bytes(operations.take());
    }

    private static Payload samplePayload(Random random) {
        byte[] bytes = someBytes(random);
        return random.nextInt(4) == 0
                ? Payload.NONE
                : new Payload.Received(MemorySegment.ofArray(bytes), bytes.length == 0);
    }

    private static byte[] someBytes(Random random) {
        byte[] bytes = new byte[random.nextInt(20)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Object sampleRecord(Class<?> type, Random random) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] values = new Object[components.length];
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = sample(components[i].getGenericType(), random);
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(type + " cannot be made", e);
        }
    }

    /** Equal component by component; payloads by their bytes. */
    private static void assertRecordEquals(Object sent, Object received) {
        if (sent instanceof Payload.Received(MemorySegment bytes, boolean zero)) {
            Payload.Received other = (Payload.Received) received;
            assertEquals(zero, other.zero());
            assertArrayEquals(
                    bytes.toArray(ValueLayout.JAVA_BYTE),
                    other.bytes().toArray(ValueLayout.JAVA_BYTE));
        } else if (sent instanceof List<?> items) {
            List<?> others = (List<?>) received;
            assertEquals(items.size(), others.size());
            for (int i = 0; i < items.size(); i++) {
                assertRecordEquals(items.get(i), others.get(i));
            }
        } else if (sent.getClass().isRecord()) {
            for (RecordComponent component : sent.getClass().getRecordComponents()) {
                assertRecordEquals(read(component, sent), read(component, received));
            }
        } else {
            assertEquals(sent, received);
        }
    }

    private static Object read(RecordComponent component, Object record) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(component + " cannot be read", e);
        }
    }
}
