package io.muninn.sync;

import io.muninn.api.Comparison;
import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.remote.WordKind;
import io.muninn.spi.Bytes;
import io.muninn.wire.Codec;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireMessage;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.List;

/**
 * The messages of remote variables, between a node and the home of words; their layouts. Every
 * request and every wait has one reply. They carry no cargo: ordinary shared variables do not
 * depend on them.
 */
public sealed interface RemoteMessage extends WireMessage {
    /** The number of the request, of those of the requesting node. */
    long number();

    /**
     * Requests operations on words of the receiver. Layout: number i64, operations sized, as {@link
     * RemoteOperations}.
     */
    record RemoteRequest(long number, Bytes operations) implements RemoteMessage {
        static final Codec<RemoteRequest> CODEC =
                new Codec<>(
                        0xC0,
                        "remote-request",
                        RemoteRequest.class,
                        (m, out) -> {
                            out.i64(m.number());
                            out.sized(m.operations().array());
                        },
                        in -> new RemoteRequest(in.i64(), readOperations(in)));

        @Override
        public Codec<RemoteRequest> codec() {
            return CODEC;
        }
    }

    /** All operations of a request are performed. Layout: number i64, answer sized. */
    record RemoteReply(long number, Bytes answer) implements RemoteMessage {
        static final Codec<RemoteReply> CODEC =
                new Codec<>(
                        0xC1,
                        "remote-reply",
                        RemoteReply.class,
                        (m, out) -> {
                            out.i64(m.number());
                            out.sized(m.answer().array());
                        },
                        in -> new RemoteReply(in.i64(), new Bytes(in.sized())));

        @Override
        public Codec<RemoteReply> codec() {
            return CODEC;
        }
    }

    /**
     * A thread waits for a condition of a word of the receiver. Layout: number i64, kind u8, offset
     * i64, comparison u8, value i64.
     */
    record RemoteWait(long number, WordCondition condition) implements RemoteMessage {
        static final Codec<RemoteWait> CODEC =
                new Codec<>(
                        0xC2,
                        "remote-wait",
                        RemoteWait.class,
                        (m, out) -> {
                            out.i64(m.number());
                            encode(m.condition(), out);
                        },
                        in -> new RemoteWait(in.i64(), readCondition(in)));

        @Override
        public Codec<RemoteWait> codec() {
            return CODEC;
        }
    }

    /** The thread waits no longer. Layout: number i64. */
    record RemoteWaitCancel(long number) implements RemoteMessage {
        static final Codec<RemoteWaitCancel> CODEC =
                new Codec<>(
                        0xC3,
                        "remote-wait-cancel",
                        RemoteWaitCancel.class,
                        (m, out) -> out.i64(m.number()),
                        in -> new RemoteWaitCancel(in.i64()));

        @Override
        public Codec<RemoteWaitCancel> codec() {
            return CODEC;
        }
    }

    /**
     * A wait has ended. Layout: number i64, holds flag.
     *
     * @param holds false if it was cancelled before the condition held
     */
    record RemoteWaitOver(long number, boolean holds) implements RemoteMessage {
        static final Codec<RemoteWaitOver> CODEC =
                new Codec<>(
                        0xC4,
                        "remote-wait-over",
                        RemoteWaitOver.class,
                        (m, out) -> {
                            out.i64(m.number());
                            out.flag(m.holds());
                        },
                        in -> new RemoteWaitOver(in.i64(), in.flag()));

        @Override
        public Codec<RemoteWaitOver> codec() {
            return CODEC;
        }
    }

    /** The codecs of all messages. */
    List<Codec<?>> CODECS =
            List.of(
                    RemoteRequest.CODEC,
                    RemoteReply.CODEC,
                    RemoteWait.CODEC,
                    RemoteWaitCancel.CODEC,
                    RemoteWaitOver.CODEC);

    /** Writes a condition: kind u8, offset i64, comparison u8, value i64. */
    private static void encode(WordCondition condition, WireWriter out) {
        out.u8(condition.kind().code());
        out.i64(condition.offset());
        out.u8(condition.comparison().code());
        out.i64(condition.value());
    }

    /**
     * Reads a condition.
     *
     * @throws MalformedMessageException if it is none
     */
    static WordCondition readCondition(WireReader in) {
        try {
            return new WordCondition(
                    WordKind.fromCode(in.u8()), in.i64(), Comparison.fromCode(in.u8()), in.i64());
        } catch (IllegalArgumentException wrong) {
            throw new MalformedMessageException(String.valueOf(wrong.getMessage()));
        }
    }

    private static Bytes readOperations(WireReader in) {
        byte[] operations = in.sized();
        try {
            RemoteOperations.check(operations, Long.MAX_VALUE);
        } catch (IllegalArgumentException wrong) {
            throw new MalformedMessageException(String.valueOf(wrong.getMessage()));
        }
        return new Bytes(operations);
    }
}
