package io.muninn.launch;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.Idle;
import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import io.muninn.protocol.ReadAheadRules;
import io.muninn.protocol.TwinRules;
import io.muninn.protocol.UpdateRules;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
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
 * that does so, which takes longer than all else that it does before it starts its application. By
 * hand, too: reflection over the record took an agent a quarter of its start, and streams of data
 * make variable handles for numbers of every kind, which took a tenth.
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
        write(config, content);
        writeInt(content.size(), whole);
        whole.writeBytes(content.toByteArray());
        return whole.toByteArray();
    }

    /**
     * Reads length and bytes, and not a byte further.
     *
     * @throws EOFException if the stream ends before
     * @throws IOException if it cannot be read, or has something else
     */
    static AgentConfig read(InputStream in) throws IOException {
        int length = whole(in, Integer.BYTES).getInt();
        if (length < 0 || length > BYTES_MAX) {
            throw new IOException("a configuration of " + length + " bytes");
        }
        try {
            return read(whole(in, length));
        } catch (BufferUnderflowException tooShort) {
            throw new IOException("a configuration that does not end in " + length + " bytes");
        }
    }

    private static ByteBuffer whole(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the launcher has ended");
        }
        return ByteBuffer.wrap(bytes);
    }

    private static void write(AgentConfig config, ByteArrayOutputStream out) {
        writeInt(config.self().index(), out);
        writeInt(config.nodes(), out);
        writeText(config.root(), out);
        writeText(config.listen(), out);
        writeBytes(config.secret(), out);
        writeInt(config.threads(), out);
        writeText(config.engine(), out);
        writeText(config.protocol().map(Enum::name), out);
        writeFlag(config.byteDiffs(), out);
        writeText(config.diffKernel(), out);
        writeText(config.idle().name(), out);
        writeFlag(config.joinsSteps(), out);
        writeFlag(config.mailboxes(), out);
        writeFlag(config.rings(), out);
        writeLong(config.heartbeatLimit().toNanos(), out);
        writeLong(config.joinTimeout().toNanos(), out);
        writeLong(config.holdNanos(), out);
        writeLong(config.flushDelayNanos(), out);
        write(config.updates(), out);
        writeInt(config.twins().hotAfter(), out);
        writeInt(config.twins().coldAfter(), out);
        writeLong(config.memoryBytes(), out);
        writeFlag(config.checksRaces(), out);
        writeText(config.json().map(Path::toString), out);
        writeFlag(config.metricsPort().isPresent(), out);
        writeInt(config.metricsPort().orElse(0), out);
        writeFlag(config.launched(), out);
        writeFlag(config.table(), out);
        writeFlag(config.stats(), out);
        writeFlag(config.everyPage(), out);
        writeInt(config.command().size(), out);
        for (String word : config.command()) {
            writeText(word, out);
        }
    }

    /** Arguments are evaluated from left to right, so in the order of the bytes. */
    private static AgentConfig read(ByteBuffer in) {
        return new AgentConfig(
                NodeId.of(in.getInt()),
                in.getInt(),
                readText(in),
                readText(in),
                readBytes(in),
                in.getInt(),
                readText(in),
                readOptionalText(in).map(Protocol::valueOf),
                readFlag(in),
                readText(in),
                Idle.valueOf(readText(in)),
                readFlag(in),
                readFlag(in),
                readFlag(in),
                Duration.ofNanos(in.getLong()),
                Duration.ofNanos(in.getLong()),
                in.getLong(),
                in.getLong(),
                readUpdates(in),
                new TwinRules(in.getInt(), in.getInt()),
                in.getLong(),
                readFlag(in),
                readOptionalText(in).map(Path::of),
                readOptionalInt(in),
                readFlag(in),
                readFlag(in),
                readFlag(in),
                readFlag(in),
                readTexts(in));
    }

    private static void write(UpdateRules updates, ByteArrayOutputStream out) {
        writeLong(updates.timeoutNanos(), out);
        writeInt(updates.packetBytes(), out);
        writeFlag(updates.steadyAccess(), out);
        writeInt(updates.readAhead().pagesMax(), out);
        writeInt(updates.readAhead().startAfter(), out);
    }

    private static UpdateRules readUpdates(ByteBuffer in) {
        return new UpdateRules(
                in.getLong(),
                in.getInt(),
                readFlag(in),
                new ReadAheadRules(in.getInt(), in.getInt()));
    }

    private static void writeText(String text, ByteArrayOutputStream out) {
        writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
    }

    private static void writeText(Optional<String> text, ByteArrayOutputStream out) {
        writeFlag(text.isPresent(), out);
        if (text.isPresent()) {
            writeText(text.get(), out);
        }
    }

    private static void writeBytes(byte[] bytes, ByteArrayOutputStream out) {
        writeInt(bytes.length, out);
        out.writeBytes(bytes);
    }

    private static String readText(ByteBuffer in) {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    private static Optional<String> readOptionalText(ByteBuffer in) {
        return readFlag(in) ? Optional.of(readText(in)) : Optional.empty();
    }

    private static OptionalInt readOptionalInt(ByteBuffer in) {
        boolean present = readFlag(in);
        int number = in.getInt();
        return present ? OptionalInt.of(number) : OptionalInt.empty();
    }

    private static List<String> readTexts(ByteBuffer in) {
        int size = in.getInt();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            texts.add(readText(in));
        }
        return texts;
    }

    private static byte[] readBytes(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }

    private static void writeInt(int number, ByteArrayOutputStream out) {
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    }

    private static void writeLong(long number, ByteArrayOutputStream out) {
        out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    private static void writeFlag(boolean flag, ByteArrayOutputStream out) {
        out.write(flag ? 1 : 0);
    }

    private static boolean readFlag(ByteBuffer in) {
        return in.get() != 0;
    }
}
