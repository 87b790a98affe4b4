package io.muninn.sync;

import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.Cargo;
import io.muninn.wire.Codec;
import io.muninn.wire.WireMessage;
import io.muninn.wire.WireReader;
import java.util.List;

/**
 * The messages of reader-writer locks, between a node and the manager of the lock; their layouts.
 */
public sealed interface ReadWriteMessage extends WireMessage {
    /** Contains cargo for the node that receives it. */
    sealed interface Carrier extends ReadWriteMessage {
        Cargo cargo();
    }

    ReadWriteLockId lock();

    /**
     * Requests permission to read or to write. Layout: lock text, number i64, write flag.
     *
     * @param number of the sender's requests for this lock
     */
    record ReadWriteRequest(ReadWriteLockId lock, long number, boolean toWrite)
            implements ReadWriteMessage {
        static final Codec<ReadWriteRequest> CODEC =
                new Codec<>(
                        0x6A,
                        "read-write-request",
                        ReadWriteRequest.class,
                        (m, out) -> {
                            out.text(m.lock().name());
                            out.i64(m.number());
                            out.flag(m.toWrite());
                        },
                        in -> new ReadWriteRequest(named(in), in.i64(), in.flag()));

        @Override
        public Codec<ReadWriteRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Grants a request, with the cargo of the last writers. Layout: lock text, number i64, write
     * flag, cargo.
     *
     * @param number of the request
     */
    record ReadWriteGrant(ReadWriteLockId lock, long number, boolean toWrite, Cargo cargo)
            implements Carrier {
        static final Codec<ReadWriteGrant> CODEC =
                new Codec<>(
                        0x6B,
                        "read-write-grant",
                        ReadWriteGrant.class,
                        (m, out) -> {
                            out.text(m.lock().name());
                            out.i64(m.number());
                            out.flag(m.toWrite());
                            m.cargo().encode(out);
                        },
                        in -> new ReadWriteGrant(named(in), in.i64(), in.flag(), Cargo.decode(in)));

        @Override
        public Codec<ReadWriteGrant> codec() {
            return CODEC;
        }
    }

    /**
     * A writer waits: the receiver returns its permission to read when its readers have left.
     * Layout: lock text, number i64.
     *
     * @param number of the granted request
     */
    record ReadWriteRecall(ReadWriteLockId lock, long number) implements ReadWriteMessage {
        static final Codec<ReadWriteRecall> CODEC =
                new Codec<>(
                        0x6C,
                        "read-write-recall",
                        ReadWriteRecall.class,
                        (m, out) -> {
                            out.text(m.lock().name());
                            out.i64(m.number());
                        },
                        in -> new ReadWriteRecall(named(in), in.i64()));

        @Override
        public Codec<ReadWriteRecall> codec() {
            return CODEC;
        }
    }

    /**
     * Returns a permission. Layout: lock text, number i64, keeps flag, cargo.
     *
     * @param number of the granted request
     * @param keepsReading the permission to write is returned, and the sender keeps that to read
     * @param cargo of a writer; none of a reader
     */
    record ReadWriteReturn(ReadWriteLockId lock, long number, boolean keepsReading, Cargo cargo)
            implements Carrier {
        static final Codec<ReadWriteReturn> CODEC =
                new Codec<>(
                        0x6D,
                        "read-write-return",
                        ReadWriteReturn.class,
                        (m, out) -> {
                            out.text(m.lock().name());
                            out.i64(m.number());
                            out.flag(m.keepsReading());
                            m.cargo().encode(out);
                        },
                        in ->
                                new ReadWriteReturn(
                                        named(in), in.i64(), in.flag(), Cargo.decode(in)));

        @Override
        public Codec<ReadWriteReturn> codec() {
            return CODEC;
        }
    }

    /**
     * No thread waits any longer for what was requested. Layout: lock text, number i64.
     *
     * @param number of the request
     */
    record ReadWriteCancel(ReadWriteLockId lock, long number) implements ReadWriteMessage {
        static final Codec<ReadWriteCancel> CODEC =
                new Codec<>(
                        0x6E,
                        "read-write-cancel",
                        ReadWriteCancel.class,
                        (m, out) -> {
                            out.text(m.lock().name());
                            out.i64(m.number());
                        },
                        in -> new ReadWriteCancel(named(in), in.i64()));

        @Override
        public Codec<ReadWriteCancel> codec() {
            return CODEC;
        }
    }

    /** The codecs of all messages. */
    List<Codec<?>> CODECS =
            List.of(
                    ReadWriteRequest.CODEC,
                    ReadWriteGrant.CODEC,
                    ReadWriteRecall.CODEC,
                    ReadWriteReturn.CODEC,
                    ReadWriteCancel.CODEC);

    private static ReadWriteLockId named(WireReader in) {
        return new ReadWriteLockId(in.text());
    }
}
