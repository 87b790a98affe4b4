package io.muninn.launch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.agent.AgentConfig;
import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import io.muninn.protocol.TwinRules;
import io.muninn.protocol.UpdateRules;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigBytesTest {
    /** Every component differs from what nothing at all would be read as. */
    private static final AgentConfig FULL =
            config(Optional.of(Protocol.MIGRATORY), Optional.of(Path.of("/a b/ü")), 9001);

    private static final AgentConfig SPARE = config(Optional.empty(), Optional.empty(), -1);

    private static AgentConfig config(
            Optional<Protocol> protocol, Optional<Path> json, int metricsPort) {
        return new AgentConfig(
                NodeId.of(3),
                5,
                "unix:@x",
                "127.0.0.1",
                new byte[] {1, 0, -1},
                7,
                "uffd+event",
                protocol,
                true,
                "portable",
                Duration.ofMillis(2500),
                Duration.ofSeconds(9),
                200_000,
                1_000_000,
                new UpdateRules(50_000, 8192),
                new TwinRules(2, 5),
                1L << 40,
                true,
                json,
                metricsPort < 0 ? OptionalInt.empty() : OptionalInt.of(metricsPort),
                true,
                true,
                true,
                true,
                List.of("java", "", "-Dä=b c", "\n"));
    }

    @Test
    void everyComponent_isReadAsWritten() throws ReflectiveOperationException, IOException {
        for (AgentConfig config : List.of(FULL, SPARE)) {
            AgentConfig read = read(ConfigBytes.encode(config));

            for (RecordComponent component : AgentConfig.class.getRecordComponents()) {
                Object written = component.getAccessor().invoke(config);
                Object found = component.getAccessor().invoke(read);
                if (written instanceof byte[] bytes) {
                    assertArrayEquals(bytes, (byte[]) found, component.getName());
                } else {
                    assertEquals(written, found, component.getName());
                }
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
