package io.muninn.launch.jvm;

import io.muninn.agent.AgentConfig;
import io.muninn.agent.AgentConfig.Coherence;
import io.muninn.agent.AgentConfig.Mechanism;
import io.muninn.agent.AgentConfig.Membership;
import io.muninn.agent.AgentConfig.Output;
import io.muninn.agent.Idle;
import io.muninn.api.Protocol;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.Views;
import io.muninn.spi.WeakRules;
import io.muninn.transport.tls.Tls;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Encodes an agent's configuration for the pipe from its launcher; both run the same class files.
 * An agent that parsed the command line instead would load the options library, and one that used
 * reflection over the record would spend a quarter of its start on it.
 *
 * <p>The format is a u32 length, then the components of the record in order, encoded as in
 * messages: bytes and texts after a u32 length, an optional after a flag, a list after its u32
 * size, a record as its components.
 */
public final class ConfigBytes {
    private static final int BYTES_MAX = 1 << 20;

    private ConfigBytes() {}

    /** Returns the number of nodes of an agent, and the configuration of each. */
    public static byte[] encodeAll(List<AgentConfig> configs) {
        ByteWriter all = new ByteWriter(_ -> MemorySegment.NULL);
        all.u8(configs.size());
        configs.forEach(config -> all.bytes(encode(config)));
        return all.toArray();
    }

    /**
     * Reads the result of {@link #encodeAll}, and no byte more.
     *
     * @throws IOException as {@link #read}
     */
    public static List<AgentConfig> readAll(InputStream in) throws IOException {
        int nodes = new ByteReader(bytes(in, 1)).u8();
        List<AgentConfig> configs = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            configs.add(read(in));
        }
        return configs;
    }

    /** Returns length and content. */
    static byte[] encode(AgentConfig config) {
        ByteWriter content = new ByteWriter(_ -> MemorySegment.NULL);
        write(config, content);
        ByteWriter whole = new ByteWriter(_ -> MemorySegment.NULL);
        whole.sized(content.toArray());
        return whole.toArray();
    }

    /**
     * Reads length and content, and no byte more.
     *
     * @throws EOFException if the stream ends early
     * @throws IOException if it cannot be read, or is malformed
     */
    static AgentConfig read(InputStream in) throws IOException {
        int length = new ByteReader(bytes(in, Integer.BYTES)).u32();
        if (length < 0 || length > BYTES_MAX) {
            throw new IOException("a configuration of " + length + " bytes");
        }
        ByteReader content = new ByteReader(bytes(in, length));
        try {
            return read(content);
        } catch (MalformedMessageException tooShort) {
            throw new IOException("a configuration that does not end in " + length + " bytes");
        } catch (IllegalArgumentException | ArithmeticException outOfRange) {
            throw new IOException("a configuration that cannot be: " + outOfRange.getMessage());
        }
    }

    private static byte[] bytes(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the launcher has ended");
        }
        return bytes;
    }

    private static void write(AgentConfig config, WireWriter out) {
        write(config.membership(), out);
        out.u32(config.processes());
        out.u32(config.threads());
        write(config.mechanism(), out);
        write(config.coherence(), out);
        write(config.output(), out);
        out.flag(config.launched());
        out.u32(config.command().size());
        for (String word : config.command()) {
            write(word, out);
        }
    }

    /** Reads the components in order: arguments are evaluated from left to right. */
    private static AgentConfig read(WireReader in) {
        return new AgentConfig(
                membership(in),
                in.u32(),
                in.u32(),
                mechanism(in),
                coherence(in),
                output(in),
                in.flag(),
                texts(in));
    }

    private static void write(Membership membership, WireWriter out) {
        out.node(membership.self());
        out.u32(membership.nodes());
        write(membership.root(), out);
        write(membership.listen(), out);
        out.sized(membership.secret());
        out.i64(membership.heartbeatLimit().toNanos());
        out.i64(membership.joinTimeout().toNanos());
        out.flag(membership.links().checksums());
    }

    private static Membership membership(WireReader in) {
        return new Membership(
                in.node(),
                in.u32(),
                text(in),
                optionalText(in),
                in.sized(),
                Duration.ofNanos(in.i64()),
                Duration.ofNanos(in.i64()),
                new AgentConfig.Links(Tls.USUAL, in.flag())); // the run is within one host
    }

    private static void write(Mechanism mechanism, WireWriter out) {
        write(mechanism.engine(), out);
        write(mechanism.diffKernel(), out);
        write(mechanism.idle().name(), out);
        out.flag(mechanism.mailboxes());
    }

    private static Mechanism mechanism(WireReader in) {
        return new Mechanism(text(in), text(in), Idle.valueOf(text(in)), in.flag());
    }

    private static void write(Coherence coherence, WireWriter out) {
        write(coherence.protocol().map(Enum::name), out);
        out.flag(coherence.byteDiffs());
        out.i64(coherence.holdNanos());
        out.i64(coherence.flushDelayNanos());
        write(coherence.updates(), out);
        out.u32(coherence.twins().hotAfter());
        out.u32(coherence.twins().coldAfter());
        out.i64(coherence.memoryBytes());
        out.flag(coherence.checksRaces());
    }

    private static Coherence coherence(WireReader in) {
        return new Coherence(
                optionalText(in).map(Protocol::valueOf),
                in.flag(),
                in.i64(),
                in.i64(),
                updates(in),
                new AdaptiveTwinRules(in.u32(), in.u32()),
                in.i64(),
                in.flag());
    }

    private static void write(Output output, WireWriter out) {
        write(output.json().map(Path::toString), out);
        out.flag(output.metricsPort().isPresent());
        out.u32(output.metricsPort().orElse(0));
        out.flag(output.table());
        out.flag(output.stats());
        out.flag(output.everyPage());
        out.i64(output.stall().toMillis());
        write(output.page().map(Path::toString), out);
        write(output.events().map(Path::toString), out);
    }

    private static Output output(WireReader in) {
        return new Output(
                optionalText(in).map(Path::of),
                optionalInt(in),
                in.flag(),
                in.flag(),
                in.flag(),
                Duration.ofMillis(in.i64()),
                optionalText(in).map(Path::of),
                optionalText(in).map(Path::of));
    }

    private static void write(UpdateRules updates, WireWriter out) {
        out.i64(updates.timeoutNanos());
        out.u32(updates.packetBytes());
        out.flag(updates.steadyAccess());
        out.u32(updates.readAhead().pagesMax());
        out.u32(updates.readAhead().startAfter());
        out.flag(updates.readAhead().repeatsLate());
        out.i64(updates.lazyBytes());
        write(updates.lazyWriters().name(), out);
        write(updates.views().name(), out);
        write(updates.weak(), out);
        out.u32(updates.limits().pages());
        out.u32(updates.limits().diffBytes());
        out.u32(updates.limits().imageBytes());
        out.u32(updates.limits().windowBytes());
    }

    private static UpdateRules updates(WireReader in) {
        return new UpdateRules(
                in.i64(),
                in.u32(),
                in.flag(),
                new ReadAheadRules(in.u32(), in.u32(), in.flag()),
                in.i64(),
                LazyWriters.valueOf(text(in)),
                Views.valueOf(text(in)),
                weak(in),
                new MessageLimits(in.u32(), in.u32(), in.u32(), in.u32()));
    }

    private static void write(WeakRules weak, WireWriter out) {
        write(weak.transition().name(), out);
        write(weak.lists().name(), out);
        write(weak.notices().name(), out);
        out.u32(weak.unsafeAfter());
        out.u32(weak.safeAfter());
        out.flag(weak.isPooled());
    }

    private static WeakRules weak(WireReader in) {
        return new WeakRules(
                WeakRules.Transition.valueOf(text(in)),
                WeakRules.Lists.valueOf(text(in)),
                WeakRules.Notices.valueOf(text(in)),
                in.u32(),
                in.u32(),
                in.flag());
    }

    /** Writes a text of any length: a class path may exceed the limit of texts in messages. */
    private static void write(String text, WireWriter out) {
        out.sized(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(WireReader in) {
        return new String(in.sized(), StandardCharsets.UTF_8);
    }

    private static void write(Optional<String> text, WireWriter out) {
        out.flag(text.isPresent());
        if (text.isPresent()) {
            write(text.get(), out);
        }
    }

    private static Optional<String> optionalText(WireReader in) {
        return in.flag() ? Optional.of(text(in)) : Optional.empty();
    }

    private static OptionalInt optionalInt(WireReader in) {
        boolean present = in.flag();
        int number = in.u32();
        return present ? OptionalInt.of(number) : OptionalInt.empty();
    }

    private static List<String> texts(WireReader in) {
        int size = in.u32();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            texts.add(text(in));
        }
        return texts;
    }
}
