package io.muninn.launch;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.Idle;
import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import io.muninn.protocol.ReadAheadRules;
import io.muninn.protocol.TwinRules;
import io.muninn.protocol.UpdateRules;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
 * hand, too: reflection over the record took an agent a quarter of its start.
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
            write(config, new DataOutputStream(content));
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
        return read(new DataInputStream(new ByteArrayInputStream(content)));
    }

    private static void write(AgentConfig config, DataOutputStream out) throws IOException {
        out.writeInt(config.self().index());
        out.writeInt(config.nodes());
        writeText(config.root(), out);
        writeText(config.listen(), out);
        writeBytes(config.secret(), out);
        out.writeInt(config.threads());
        writeText(config.engine(), out);
        writeText(config.protocol().map(Enum::name), out);
        out.writeBoolean(config.byteDiffs());
        writeText(config.diffKernel(), out);
        writeText(config.idle().name(), out);
        out.writeLong(config.heartbeatLimit().toNanos());
        out.writeLong(config.joinTimeout().toNanos());
        out.writeLong(config.holdNanos());
        out.writeLong(config.flushDelayNanos());
        write(config.updates(), out);
        out.writeInt(config.twins().hotAfter());
        out.writeInt(config.twins().coldAfter());
        out.writeLong(config.memoryBytes());
        out.writeBoolean(config.checksRaces());
        writeText(config.json().map(Path::toString), out);
        out.writeBoolean(config.metricsPort().isPresent());
        out.writeInt(config.metricsPort().orElse(0));
        out.writeBoolean(config.launched());
        out.writeBoolean(config.table());
        out.writeBoolean(config.stats());
        out.writeBoolean(config.everyPage());
        out.writeInt(config.command().size());
        for (String word : config.command()) {
            writeText(word, out);
        }
    }

    /** Arguments are evaluated from left to right, so in the order of the bytes. */
    private static AgentConfig read(DataInputStream in) throws IOException {
        return new AgentConfig(
                NodeId.of(in.readInt()),
                in.readInt(),
                readText(in),
                readText(in),
                readBytes(in),
                in.readInt(),
                readText(in),
                readOptionalText(in).map(Protocol::valueOf),
                in.readBoolean(),
                readText(in),
                Idle.valueOf(readText(in)),
                Duration.ofNanos(in.readLong()),
                Duration.ofNanos(in.readLong()),
                in.readLong(),
                in.readLong(),
                readUpdates(in),
                new TwinRules(in.readInt(), in.readInt()),
                in.readLong(),
                in.readBoolean(),
                readOptionalText(in).map(Path::of),
                readOptionalInt(in),
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                in.readBoolean(),
                readTexts(in));
    }

    private static void write(UpdateRules updates, DataOutputStream out) throws IOException {
        out.writeLong(updates.timeoutNanos());
        out.writeInt(updates.packetBytes());
        out.writeBoolean(updates.steadyAccess());
        out.writeInt(updates.readAhead().pagesMax());
        out.writeInt(updates.readAhead().startAfter());
    }

    private static UpdateRules readUpdates(DataInputStream in) throws IOException {
        return new UpdateRules(
                in.readLong(),
                in.readInt(),
                in.readBoolean(),
                new ReadAheadRules(in.readInt(), in.readInt()));
    }

    private static void writeText(String text, DataOutputStream out) throws IOException {
        writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
    }

    private static void writeText(Optional<String> text, DataOutputStream out) throws IOException {
        out.writeBoolean(text.isPresent());
        if (text.isPresent()) {
            writeText(text.get(), out);
        }
    }

    private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String readText(DataInputStream in) throws IOException {
        return new String(readBytes(in), StandardCharsets.UTF_8);
    }

    private static Optional<String> readOptionalText(DataInputStream in) throws IOException {
        return in.readBoolean() ? Optional.of(readText(in)) : Optional.empty();
    }

    private static OptionalInt readOptionalInt(DataInputStream in) throws IOException {
        boolean present = in.readBoolean();
        int number = in.readInt();
        return present ? OptionalInt.of(number) : OptionalInt.empty();
    }

    private static List<String> readTexts(DataInputStream in) throws IOException {
        int size = in.readInt();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            texts.add(readText(in));
        }
        return texts;
    }

    private static byte[] readBytes(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}
