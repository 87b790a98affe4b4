package io.muninn.launch;

import io.muninn.agent.AgentConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An agent's configuration as bytes, for the pipe from the launcher to an agent of the same class
 * files. The launcher has read the command line; an agent that read it again would load the library
 * that does so, which takes longer than all else that it does before it starts its application.
 *
 * <p>A u32 length, then the components of the record in order, big-endian: numbers as they are,
 * text and bytes behind a u32 length, an optional behind a flag, a list behind its u32 size, a
 * record as its components.
 */
final class ConfigBytes {
    private static final int BYTES_MAX = 1 << 20;

    private ConfigBytes() {}

    /** Length and bytes. */
    static byte[] encode(AgentConfig config) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        try {
            write(config, AgentConfig.class, new DataOutputStream(content));
            new DataOutputStream(whole).writeInt(content.size());
            content.writeTo(whole);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return whole.toByteArray();
    }

    /**
     * Reads length and bytes, and not a byte further.
     *
     * @throws EOFException if the stream ends before
     * @throws IOException if it cannot be read, or has something else
     */
    static AgentConfig read(InputStream in) throws IOException {
        int length = new DataInputStream(in).readInt();
        if (length < 0 || length > BYTES_MAX) {
            throw new IOException("a configuration of " + length + " bytes");
        }
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException("the launcher has ended");
        }
        DataInputStream data = new DataInputStream(new ByteArrayInputStream(content));
        return (AgentConfig) read(AgentConfig.class, data);
    }

    private static void write(Object value, Type type, DataOutputStream out) throws IOException {
        switch (value) {
            case Integer number -> out.writeInt(number);
            case Long number -> out.writeLong(number);
            case Boolean flag -> out.writeBoolean(flag);
            case String text -> writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
            case byte[] bytes -> writeBytes(bytes, out);
            case Path path -> write(path.toString(), String.class, out);
            case Enum<?> constant -> write(constant.name(), String.class, out);
            case Duration duration -> out.writeLong(duration.toNanos());
            case OptionalInt number -> {
                out.writeBoolean(number.isPresent());
                out.writeInt(number.orElse(0));
            }
            case Optional<?> optional -> {
                out.writeBoolean(optional.isPresent());
                if (optional.isPresent()) {
                    write(optional.get(), argument(type), out);
                }
            }
            case List<?> list -> {
                out.writeInt(list.size());
                for (Object element : list) {
                    write(element, argument(type), out);
                }
            }
            case Record record -> {
                for (RecordComponent component : record.getClass().getRecordComponents()) {
                    write(component(record, component), component.getGenericType(), out);
                }
            }
            default -> throw unknown(type);
        }
    }

    private static Object read(Type type, DataInputStream in) throws IOException {
        if (type instanceof ParameterizedType generic) {
            if (generic.getRawType() == Optional.class) {
                return in.readBoolean() ? Optional.of(read(argument(type), in)) : Optional.empty();
            }
            if (generic.getRawType() == List.class) {
                List<Object> list = new ArrayList<>();
                int size = in.readInt();
                for (int i = 0; i < size; i++) {
                    list.add(read(argument(type), in));
                }
                return list;
            }
        }
        if (!(type instanceof Class<?> plain)) {
            throw unknown(type);
        }
        return readPlain(plain, in);
    }

    private static Object readPlain(Class<?> type, DataInputStream in) throws IOException {
        if (type == int.class) {
            return in.readInt();
        } else if (type == long.class) {
            return in.readLong();
        } else if (type == boolean.class) {
            return in.readBoolean();
        } else if (type == String.class) {
            return new String(readBytes(in), StandardCharsets.UTF_8);
        } else if (type == byte[].class) {
            return readBytes(in);
        } else if (type == Path.class) {
            return Path.of((String) readPlain(String.class, in));
        } else if (type == Duration.class) {
            return Duration.ofNanos(in.readLong());
        } else if (type == OptionalInt.class) {
            boolean present = in.readBoolean();
            int number = in.readInt();
            return present ? OptionalInt.of(number) : OptionalInt.empty();
        } else if (type.isEnum()) {
            return constant(type, (String) readPlain(String.class, in));
        } else if (type.isRecord()) {
            return readRecord(type, in);
        }
        throw unknown(type);
    }

    private static Object readRecord(Class<?> type, DataInputStream in) throws IOException {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = read(components[i].getGenericType(), in);
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException cause) {
            throw new IllegalStateException("cannot construct " + type, cause);
        }
    }

    private static Object constant(Class<?> type, String name) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("no constant " + name + " of " + type);
    }

    private static Object component(Record record, RecordComponent component) {
        try {
            return component.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException cause) {
            throw new IllegalStateException("cannot read " + component, cause);
        }
    }

    private static Type argument(Type type) {
        return ((ParameterizedType) type).getActualTypeArguments()[0];
    }

    private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }

    private static IllegalArgumentException unknown(Type type) {
        return new IllegalArgumentException("a configuration cannot have a " + type);
    }
}
