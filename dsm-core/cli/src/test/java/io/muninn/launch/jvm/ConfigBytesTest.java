package io.muninn.launch.jvm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.agent.AgentConfig;
import io.muninn.spi.WeakRules;
import io.muninn.transport.tls.Tls;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigBytesTest {
    /** A configuration with a value in every optional and list. */
    static final AgentConfig FULL = (AgentConfig) sample(AgentConfig.class, true);

    static final AgentConfig SPARE = (AgentConfig) sample(AgentConfig.class, false);

    /** A value that differs from the one read from no bytes. */
    private static Object sample(Type type, boolean full) {
        if (type instanceof ParameterizedType generic) {
            Type argument = generic.getActualTypeArguments()[0];
            if (generic.getRawType() == Optional.class) {
                return full ? Optional.of(sample(argument, true)) : Optional.empty();
            }
            return full ? List.of(sample(argument, true), sample(argument, true)) : List.of();
        }
        Map<Class<?>, Object> samples =
                Map.of(
                        int.class,
                        7,
                        long.class,
                        1L << 40,
                        boolean.class,
                        true,
                        String.class,
                        "-Dä=b c\n",
                        byte[].class,
                        new byte[] {1, 0, -1},
                        Path.class,
                        Path.of("/a b/ü"),
                        Duration.class,
                        Duration.ofMillis(2500),
                        OptionalInt.class,
                        full ? OptionalInt.of(9001) : OptionalInt.empty());
        Class<?> plain = (Class<?>) type;
        if (plain.isEnum()) {
            Object[] constants = plain.getEnumConstants();
            return constants[constants.length - 1];
        }
        if (plain == WeakRules.class) { // not every combination of their components is possible
            return new WeakRules(
                            WeakRules.Transition.IMMEDIATE,
                            WeakRules.Lists.DISTRIBUTED,
                            WeakRules.Notices.TRANSITION,
                            7,
                            9)
                    .pooled();
        }
        if (plain == Tls.class) { // not among the bytes: the run of a launcher is within one host
            return Tls.USUAL;
        }
        return plain.isRecord() ? sampleRecord(plain, full) : samples.get(plain);
    }

    private static Object sampleRecord(Class<?> type, boolean full) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = sample(components[i].getGenericType(), full);
        }
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException cause) {
            throw new IllegalStateException(cause);
        }
    }

    @Test
    void everyComponent_isReadAsWritten() throws ReflectiveOperationException, IOException {
        for (AgentConfig config : List.of(FULL, SPARE)) {
            assertEqualComponents(config, read(ConfigBytes.encode(config)));
        }
    }

    /** Arrays are equal if their elements are, also in records within a record. */
    private static void assertEqualComponents(Record expected, Record found)
            throws ReflectiveOperationException {
        for (RecordComponent component : expected.getClass().getRecordComponents()) {
            Object written = component.getAccessor().invoke(expected);
            Object read = component.getAccessor().invoke(found);
            switch (written) {
                case byte[] bytes -> assertArrayEquals(bytes, (byte[]) read, component.getName());
                case Record record when record.getClass().getDeclaringClass() != null ->
                        assertEqualComponents(record, (Record) read);
                default -> assertEquals(written, read, component.getName());
            }
        }
    }

    @Test
    void whatFollows_isLeftInTheStream() throws IOException {
        byte[] bytes = ConfigBytes.encode(FULL);
        ByteArrayInputStream pipe =
                new ByteArrayInputStream(Arrays.copyOf(bytes, bytes.length + 3));

        ConfigBytes.read(pipe);

        assertEquals(3, pipe.available());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 4, 100})
    void pipeThatEndsTooSoon_isRefused(int length) {
        byte[] bytes = Arrays.copyOf(ConfigBytes.encode(FULL), length);

        assertThrows(EOFException.class, () -> read(bytes));
    }

    @Test
    void absurdLength_isRefusedBeforeItIsRead() {
        assertThrows(IOException.class, () -> read(new byte[] {-1, -1, -1, -1}));
        assertThrows(IOException.class, () -> read(new byte[] {127, -1, -1, -1}));
    }

    private static AgentConfig read(byte[] bytes) throws IOException {
        return ConfigBytes.read(new ByteArrayInputStream(bytes));
    }
}
