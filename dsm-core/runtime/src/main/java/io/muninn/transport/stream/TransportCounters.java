package io.muninn.transport.stream;

import io.muninn.wire.Codec;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counts of the messages and bytes that this node has sent, by kind. Bytes are lengths and bodies
 * of frames, as the simulator counts them: neither numbers and checksums, nor what TLS adds.
 * Handshakes, heartbeats and lifecycle frames are control traffic, counted separately.
 *
 * <p><b>Threads.</b> Only the loop writes; any thread may read. A reader sees each count with a
 * short delay, and not consistently with the others.
 */
public final class TransportCounters {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle HEALED = field("linksHealed");
    private static final VarHandle AGAIN = field("framesAgain");
    private static final VarHandle AGAIN_BYTES = field("bytesAgain");

    private static final int CONTROL = 0; // no codec has code 0

    private static final int ALL = Codec.CODES; // except control

    private final long[] messages = new long[Codec.CODES + 1];
    private final long[] bytes = new long[Codec.CODES + 1];
    private final AtomicReferenceArray<String> names = new AtomicReferenceArray<>(Codec.CODES);

    private long linksHealed;
    private long framesAgain;
    private long bytesAgain;

    public TransportCounters() {}

    private static VarHandle field(String name) {
        try {
            return MethodHandles.lookup().findVarHandle(TransportCounters.class, name, long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("the field is below", impossible);
        }
    }

    /**
     * Messages and bytes of one kind.
     *
     * @param messages messages sent
     * @param bytes bytes sent, whole frames
     */
    public record Sent(long messages, long bytes) {}

    /** All traffic except control traffic. */
    public Sent total() {
        return read(ALL);
    }

    /** Handshakes, heartbeats and lifecycle frames. */
    public Sent control() {
        return read(CONTROL);
    }

    /** Counts by codec name, in the order of names; only kinds that were sent. */
    public Map<String, Sent> byKind() {
        Map<String, Sent> kinds = new TreeMap<>();
        for (int code = CONTROL + 1; code < Codec.CODES; code++) {
            String name = names.get(code);
            if (name != null) {
                kinds.put(name, read(code));
            }
        }
        return kinds;
    }

    /** Number of links that have another connection after a cut, as often as that happened. */
    public long linksHealed() {
        return (long) HEALED.getOpaque(this);
    }

    /** Frames that were sent again on other connections, and their bytes, headers included. */
    public Sent sentAgain() {
        return new Sent((long) AGAIN.getOpaque(this), (long) AGAIN_BYTES.getOpaque(this));
    }

    void countHealing(int frames, long frameBytes) {
        HEALED.setOpaque(this, linksHealed + 1);
        AGAIN.setOpaque(this, framesAgain + frames);
        AGAIN_BYTES.setOpaque(this, bytesAgain + frameBytes);
    }

    public void countMessage(Codec<?> codec, int frameBytes) {
        int code = codec.code();
        if (names.getPlain(code) == null) {
            names.set(code, codec.name());
        }
        add(code, frameBytes);
        add(ALL, frameBytes);
    }

    public void countControl(int frameBytes) {
        add(CONTROL, frameBytes);
    }

    private void add(int code, int frameBytes) {
        // single writer: read plain, write opaque; pairs with the opaque reads in read()
        CELL.setOpaque(messages, code, messages[code] + 1);
        CELL.setOpaque(bytes, code, bytes[code] + frameBytes);
    }

    private Sent read(int code) {
        return new Sent((long) CELL.getOpaque(messages, code), (long) CELL.getOpaque(bytes, code));
    }
}
