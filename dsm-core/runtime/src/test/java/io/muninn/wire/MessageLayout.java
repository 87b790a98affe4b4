package io.muninn.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Comparison;
import io.muninn.api.remote.WordKind;
import io.muninn.directory.Copyset;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.VectorTimestamp;
import io.muninn.transport.stream.TransportBytes;
import io.muninn.wire.RecordingWriter.Written;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.StringJoiner;

/**
 * The layout of a message, found by encoding one whose fields all differ: the encoder must write
 * the record's components completely and in order.
 */
final class MessageLayout {
    private final ArrayDeque<Written> written;
    private int lastSample = 2; // small, and no value that a length or a count has

    private MessageLayout(ArrayDeque<Written> written) {
        this.written = written;
    }

    /** Fields in order, each its name and its type. */
    static String of(Codec<?> codec) {
        RecordingWriter writer = new RecordingWriter();
        MessageLayout layout = new MessageLayout(writer.all);
        Record message = layout.sample(codec.type());
        codec.encode((WireMessage) message, writer);
        String fields = layout.fieldsOf(message);
        assertTrue(layout.written.isEmpty(), codec.name() + " writes more: " + layout.written);
        return fields;
    }

    // ---- a message whose fields all differ ----

    private Record sample(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = sampleOf(components[i].getGenericType());
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return (Record) constructor.newInstance(values);
        } catch (ReflectiveOperationException cause) {
            throw new AssertionError("no sample of " + type, cause);
        }
    }

    private Object sampleOf(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            Type element = list.getActualTypeArguments()[0];
            return List.of(sampleOf(element), sampleOf(element));
        }
        int n = ++lastSample;
        Class<?> plain = (Class<?>) type;
        if (plain == int.class) {
            return n;
        } else if (plain == long.class) {
            return (long) n;
        } else if (plain == boolean.class) {
            return true;
        } else if (plain == String.class) {
            return "text " + n;
        } else if (plain == byte[].class) {
            return new byte[n];
        } else if (plain == Bytes.class) {
            return new Bytes(new byte[n]);
        } else if (plain == NodeId.class) {
            return NodeId.of(n);
        } else if (plain == PageId.class) {
            return new PageId(n, n);
        } else if (plain == LockId.class) {
            return new LockId("lock " + n);
        } else if (plain == BarrierId.class) {
            return new BarrierId("barrier " + n);
        } else if (plain == Payload.class) {
            return new Payload.SavedDiff(new PageId(n, n), n);
        } else if (plain == Cargo.class) {
            return Cargo.NONE.with(n, new Bytes(new byte[n]));
        } else if (plain == Copyset.class) {
            return Copyset.ofWords(n);
        } else if (plain == VectorTimestamp.class) {
            return VectorTimestamp.zero(2).with(NodeId.of(1), n);
        } else if (plain.isEnum()) {
            Object[] constants = plain.getEnumConstants();
            return constants[constants.length - 1]; // its code is not 0
        }
        return sample(plain);
    }

    // ---- what was written of it ----

    private String fieldsOf(Record value) {
        StringJoiner fields = new StringJoiner(", ");
        if (!written.isEmpty() && written.peek().value().equals(TransportBytes.MAGIC)) {
            fields.add("`magic` " + written.remove().type());
        }
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            fields.add("`" + component.getName() + "` " + take(valueOf(component, value)));
        }
        return fields.toString();
    }

    private static Object valueOf(RecordComponent component, Record value) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(value);
        } catch (ReflectiveOperationException cause) {
            throw new AssertionError("cannot read " + component, cause);
        }
    }

    /** Finds the encoding of one component; returns its type as the document names it. */
    private String take(Object value) {
        return switch (value) {
            case LockId lock -> take(lock.name());
            case BarrierId barrier -> take(barrier.name());
            case Bytes bytes -> take(bytes.array());
            case byte[] bytes -> {
                assertArrayEquals(bytes, (byte[]) next("sized").value());
                yield "bytes";
            }
            case String text
                    when written.peek() != null && written.peek().type().equals("sized") -> {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                assertArrayEquals(utf8, (byte[]) next("sized").value());
                yield "long text";
            }
            case Copyset copyset -> {
                assertEquals(copyset.word(0), next("i64").value());
                yield "copyset";
            }
            case Cargo cargo -> takeCargo(cargo);
            case VectorTimestamp timestamp -> takeTimestamp(timestamp);
            case List<?> list -> takeList(list);
            case Payload payload -> takeEqual(payload);
            case WordKind kind -> takeCode(kind.code());
            case Comparison comparison -> takeCode(comparison.code());
            case PageId page -> takeEqual(page);
            case NodeId node -> takeEqual(node);
            case Record nested when nested.getClass().getSimpleName().equals("Digest") -> {
                fieldsOf(nested);
                yield "digest";
            }
            case Record nested -> "(" + fieldsOf(nested) + ")";
            default -> takeEqual(value);
        };
    }

    private String takeEqual(Object value) {
        assertFalse(written.isEmpty(), value + " is not written");
        Written next = written.remove();
        assertEquals(
                next.type().equals("varint") ? ((Number) value).longValue() : value, next.value());
        return next.type();
    }

    private String takeCode(int code) {
        assertEquals(code, next("u8").value());
        return "u8";
    }

    private Written next(String type) {
        assertFalse(written.isEmpty(), type + " expected, and nothing is written");
        Written next = written.remove();
        assertEquals(type, next.type());
        return next;
    }

    private String takeCargo(Cargo cargo) {
        assertEquals(cargo.items().size(), next("u8").value());
        for (Cargo.Item item : cargo.items()) {
            assertEquals(item.code(), next("u8").value());
            assertArrayEquals(item.bytes().array(), (byte[]) next("sized").value());
        }
        return "cargo";
    }

    private String takeTimestamp(VectorTimestamp timestamp) {
        assertEquals((long) timestamp.nodes(), next("varint").value());
        for (int i = 0; i < timestamp.nodes(); i++) {
            assertEquals(timestamp.of(NodeId.of(i)), next("varint").value());
        }
        return "timestamp";
    }

    private String takeList(List<?> list) {
        Written count = written.remove();
        assertEquals(list.size(), ((Number) count.value()).intValue());
        String element = take(list.getFirst());
        for (Object other : list.subList(1, list.size())) {
            assertEquals(element, take(other));
        }
        return count.type() + " × " + element;
    }
}
