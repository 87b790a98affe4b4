package io.muninn.sync;

import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.ObjectId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.wire.Codec;
import io.muninn.wire.WireMessage;
import io.muninn.wire.WireReader;
import java.util.List;

/**
 * The messages of locks, barriers, conditions, letters, shipped calls and refreshes; their layouts.
 */
public sealed interface SyncMessage extends WireMessage {
    /** Contains cargo for the node that receives it. */
    sealed interface Carrier extends SyncMessage {
        Cargo cargo();
    }

    /** Requests a token; forwarded along probable owners. Layout: lock text, asker u8, cargo. */
    record LockRequest(LockId lock, NodeId asker, Cargo cargo) implements SyncMessage {
        static final Codec<LockRequest> CODEC =
                new Codec<>(
                        0x50,
                        "lock-request",
                        LockRequest.class,
                        (m, out) -> {
                            out.text(m.lock().name());
                            out.node(m.asker());
                            m.cargo().encode(out);
                        },
                        in -> new LockRequest(new LockId(in.text()), in.node(), Cargo.decode(in)));

        @Override
        public Codec<LockRequest> codec() {
            return CODEC;
        }
    }

    /** Passes a token. Layout: lock text, cargo. */
    record LockGrant(LockId lock, Cargo cargo) implements Carrier {
        static final Codec<LockGrant> CODEC =
                new Codec<>(
                        0x51,
                        "lock-grant",
                        LockGrant.class,
                        (m, out) -> {
                            out.text(m.lock().name());
                            m.cargo().encode(out);
                        },
                        in -> new LockGrant(new LockId(in.text()), Cargo.decode(in)));

        @Override
        public Codec<LockGrant> codec() {
            return CODEC;
        }
    }

    /**
     * Threads of one node have arrived at a barrier. Layout: barrier text, count u32, timed u32,
     * parties u32, cargo.
     *
     * @param timed number of threads that wait with a time limit
     */
    record BarrierArrive(BarrierId barrier, int count, int timed, int parties, Cargo cargo)
            implements Carrier {
        static final Codec<BarrierArrive> CODEC =
                new Codec<>(
                        0x52,
                        "barrier-arrive",
                        BarrierArrive.class,
                        (m, out) -> {
                            out.text(m.barrier().name());
                            out.u32(m.count());
                            out.u32(m.timed());
                            out.u32(m.parties());
                            m.cargo().encode(out);
                        },
                        in ->
                                new BarrierArrive(
                                        new BarrierId(in.text()),
                                        in.u32(),
                                        in.u32(),
                                        in.u32(),
                                        Cargo.decode(in)));

        @Override
        public Codec<BarrierArrive> codec() {
            return CODEC;
        }
    }

    /**
     * The barrier has completed for the oldest {@code count} arrivals of the receiver. Layout:
     * barrier text, count u32, cargo.
     */
    record BarrierDepart(BarrierId barrier, int count, Cargo cargo) implements Carrier {
        static final Codec<BarrierDepart> CODEC =
                new Codec<>(
                        0x53,
                        "barrier-depart",
                        BarrierDepart.class,
                        (m, out) -> {
                            out.text(m.barrier().name());
                            out.u32(m.count());
                            m.cargo().encode(out);
                        },
                        in ->
                                new BarrierDepart(
                                        new BarrierId(in.text()), in.u32(), Cargo.decode(in)));

        @Override
        public Codec<BarrierDepart> codec() {
            return CODEC;
        }
    }

    /**
     * The time limit of a thread has elapsed. Layout: barrier text, parties u32, local u32,
     * departed u32.
     *
     * @param local arrivals at the sender that it has not sent
     * @param departed departures that the sender has received since the start: distinguishes a wait
     *     that timed out from one that a departure in transit has ended
     */
    record BarrierTimeout(BarrierId barrier, int parties, int local, int departed)
            implements SyncMessage {
        static final Codec<BarrierTimeout> CODEC =
                new Codec<>(
                        0x54,
                        "barrier-timeout",
                        BarrierTimeout.class,
                        (m, out) -> {
                            out.text(m.barrier().name());
                            out.u32(m.parties());
                            out.u32(m.local());
                            out.u32(m.departed());
                        },
                        in ->
                                new BarrierTimeout(
                                        new BarrierId(in.text()), in.u32(), in.u32(), in.u32()));

        @Override
        public Codec<BarrierTimeout> codec() {
            return CODEC;
        }
    }

    /** The barrier will never complete; sent to every node. Layout: barrier text, reason text. */
    record BarrierBroken(BarrierId barrier, String reason) implements SyncMessage {
        static final Codec<BarrierBroken> CODEC =
                new Codec<>(
                        0x55,
                        "barrier-broken",
                        BarrierBroken.class,
                        (m, out) -> {
                            out.text(m.barrier().name());
                            out.text(m.reason());
                        },
                        in -> new BarrierBroken(new BarrierId(in.text()), in.text()));

        @Override
        public Codec<BarrierBroken> codec() {
            return CODEC;
        }
    }

    /**
     * A thread requests a notification when all other parties have arrived; it arrives later.
     * Layout: barrier text, parties u32.
     */
    record BarrierGather(BarrierId barrier, int parties) implements SyncMessage {
        static final Codec<BarrierGather> CODEC =
                new Codec<>(
                        0x56,
                        "barrier-gather",
                        BarrierGather.class,
                        (m, out) -> {
                            out.text(m.barrier().name());
                            out.u32(m.parties());
                        },
                        in -> new BarrierGather(new BarrierId(in.text()), in.u32()));

        @Override
        public Codec<BarrierGather> codec() {
            return CODEC;
        }
    }

    /**
     * All parties but the receiver's thread have arrived, and wait. Layout: barrier text, cargo.
     */
    record BarrierGathered(BarrierId barrier, Cargo cargo) implements Carrier {
        static final Codec<BarrierGathered> CODEC =
                new Codec<>(
                        0x57,
                        "barrier-gathered",
                        BarrierGathered.class,
                        (m, out) -> {
                            out.text(m.barrier().name());
                            m.cargo().encode(out);
                        },
                        in -> new BarrierGathered(new BarrierId(in.text()), Cargo.decode(in)));

        @Override
        public Codec<BarrierGathered> codec() {
            return CODEC;
        }
    }

    /**
     * A thread of the sender waits for a condition, and holds the lock until it is in the queue.
     * Layout: lock text, condition text, thread u32.
     */
    record ConditionWait(ConditionId condition, int thread) implements SyncMessage {
        static final Codec<ConditionWait> CODEC =
                new Codec<>(
                        0x60,
                        "condition-wait",
                        ConditionWait.class,
                        (m, out) -> {
                            out.text(m.condition().lock().name());
                            out.text(m.condition().name());
                            out.u32(m.thread());
                        },
                        in -> new ConditionWait(readCondition(in), in.u32()));

        @Override
        public Codec<ConditionWait> codec() {
            return CODEC;
        }
    }

    /**
     * The receiver's thread is in the queue: it may release the lock. Layout: lock text, condition
     * text, thread u32.
     */
    record ConditionQueued(ConditionId condition, int thread) implements SyncMessage {
        static final Codec<ConditionQueued> CODEC =
                new Codec<>(
                        0x61,
                        "condition-queued",
                        ConditionQueued.class,
                        (m, out) -> {
                            out.text(m.condition().lock().name());
                            out.text(m.condition().name());
                            out.u32(m.thread());
                        },
                        in -> new ConditionQueued(readCondition(in), in.u32()));

        @Override
        public Codec<ConditionQueued> codec() {
            return CODEC;
        }
    }

    /**
     * A thread of the sender wakes the oldest waiter, or all. Layout: lock text, condition text,
     * thread u32, all flag.
     */
    record ConditionSignal(ConditionId condition, int thread, boolean all) implements SyncMessage {
        static final Codec<ConditionSignal> CODEC =
                new Codec<>(
                        0x62,
                        "condition-signal",
                        ConditionSignal.class,
                        (m, out) -> {
                            out.text(m.condition().lock().name());
                            out.text(m.condition().name());
                            out.u32(m.thread());
                            out.flag(m.all());
                        },
                        in -> new ConditionSignal(readCondition(in), in.u32(), in.flag()));

        @Override
        public Codec<ConditionSignal> codec() {
            return CODEC;
        }
    }

    /**
     * The signal of the receiver's thread has woken the selected threads. Layout: lock text,
     * condition text, thread u32.
     */
    record ConditionSignalled(ConditionId condition, int thread) implements SyncMessage {
        static final Codec<ConditionSignalled> CODEC =
                new Codec<>(
                        0x63,
                        "condition-signalled",
                        ConditionSignalled.class,
                        (m, out) -> {
                            out.text(m.condition().lock().name());
                            out.text(m.condition().name());
                            out.u32(m.thread());
                        },
                        in -> new ConditionSignalled(readCondition(in), in.u32()));

        @Override
        public Codec<ConditionSignalled> codec() {
            return CODEC;
        }
    }

    /**
     * A signal has ended the wait of the receiver's thread. Layout: lock text, condition text,
     * thread u32.
     */
    record ConditionWake(ConditionId condition, int thread) implements SyncMessage {
        static final Codec<ConditionWake> CODEC =
                new Codec<>(
                        0x64,
                        "condition-wake",
                        ConditionWake.class,
                        (m, out) -> {
                            out.text(m.condition().lock().name());
                            out.text(m.condition().name());
                            out.u32(m.thread());
                        },
                        in -> new ConditionWake(readCondition(in), in.u32()));

        @Override
        public Codec<ConditionWake> codec() {
            return CODEC;
        }
    }

    /** A thread of the sender stops waiting. Layout: lock text, condition text, thread u32. */
    record ConditionCancel(ConditionId condition, int thread) implements SyncMessage {
        static final Codec<ConditionCancel> CODEC =
                new Codec<>(
                        0x65,
                        "condition-cancel",
                        ConditionCancel.class,
                        (m, out) -> {
                            out.text(m.condition().lock().name());
                            out.text(m.condition().name());
                            out.u32(m.thread());
                        },
                        in -> new ConditionCancel(readCondition(in), in.u32()));

        @Override
        public Codec<ConditionCancel> codec() {
            return CODEC;
        }
    }

    /**
     * The receiver's thread is removed from the queue, and no signal has selected it. Layout: lock
     * text, condition text, thread u32.
     */
    record ConditionCancelled(ConditionId condition, int thread) implements SyncMessage {
        static final Codec<ConditionCancelled> CODEC =
                new Codec<>(
                        0x66,
                        "condition-cancelled",
                        ConditionCancelled.class,
                        (m, out) -> {
                            out.text(m.condition().lock().name());
                            out.text(m.condition().name());
                            out.u32(m.thread());
                        },
                        in -> new ConditionCancelled(readCondition(in), in.u32()));

        @Override
        public Codec<ConditionCancelled> codec() {
            return CODEC;
        }
    }

    /** A program's message. Layout: tag u32, cargo, body u32 length and bytes. */
    record Letter(int tag, Cargo cargo, Bytes body) implements Carrier {
        static final Codec<Letter> CODEC =
                new Codec<>(
                        0x58,
                        "letter",
                        Letter.class,
                        (m, out) -> {
                            out.u32(m.tag());
                            m.cargo().encode(out);
                            out.sized(m.body().array());
                        },
                        in -> new Letter(in.u32(), Cargo.decode(in), new Bytes(in.sized())));

        @Override
        public Codec<Letter> codec() {
            return CODEC;
        }
    }

    /** The program has received so many bytes of the receiver's letters. Layout: bytes i64. */
    record LetterCredit(long bytes) implements SyncMessage {
        static final Codec<LetterCredit> CODEC =
                new Codec<>(
                        0x59,
                        "letter-credit",
                        LetterCredit.class,
                        (m, out) -> out.i64(m.bytes()),
                        in -> new LetterCredit(in.i64()));

        @Override
        public Codec<LetterCredit> codec() {
            return CODEC;
        }
    }

    /** The sender has no credit for its next letter. Layout: nothing. */
    record LetterStall() implements SyncMessage {
        static final LetterStall INSTANCE = new LetterStall();
        static final Codec<LetterStall> CODEC =
                new Codec<>(0x5A, "letter-stall", LetterStall.class, (_, _) -> {}, _ -> INSTANCE);

        @Override
        public Codec<LetterStall> codec() {
            return CODEC;
        }
    }

    /**
     * Calls a shipped object. Layout: number i64, object text, fingerprint i64, cargo, request u32
     * length and bytes.
     *
     * @param number of the sender's calls
     * @param fingerprint of the sender's declaration of the object
     */
    record ShippedCall(long number, ObjectId object, long fingerprint, Cargo cargo, Bytes request)
            implements Carrier {
        static final Codec<ShippedCall> CODEC =
                new Codec<>(
                        0x5B,
                        "call",
                        ShippedCall.class,
                        (m, out) -> {
                            out.i64(m.number());
                            out.text(m.object().name());
                            out.i64(m.fingerprint());
                            m.cargo().encode(out);
                            out.sized(m.request().array());
                        },
                        in ->
                                new ShippedCall(
                                        in.i64(),
                                        new ObjectId(in.text()),
                                        in.i64(),
                                        Cargo.decode(in),
                                        new Bytes(in.sized())));

        @Override
        public Codec<ShippedCall> codec() {
            return CODEC;
        }
    }

    /**
     * The result of a shipped call. Layout: number i64, cargo, reply u32 length and bytes.
     *
     * @param number of the call
     */
    record ShippedReply(long number, Cargo cargo, Bytes reply) implements Carrier {
        static final Codec<ShippedReply> CODEC =
                new Codec<>(
                        0x5C,
                        "reply",
                        ShippedReply.class,
                        (m, out) -> {
                            out.i64(m.number());
                            m.cargo().encode(out);
                            out.sized(m.reply().array());
                        },
                        in -> new ShippedReply(in.i64(), Cargo.decode(in), new Bytes(in.sized())));

        @Override
        public Codec<ShippedReply> codec() {
            return CODEC;
        }
    }

    /**
     * The receiver of a shipped call has another declaration of the object. Layout: number i64,
     * reason text.
     *
     * @param reason the declaration there
     */
    record ShippedRefusal(long number, String reason) implements SyncMessage {
        static final Codec<ShippedRefusal> CODEC =
                new Codec<>(
                        0x5D,
                        "call-refusal",
                        ShippedRefusal.class,
                        (m, out) -> {
                            out.i64(m.number());
                            out.text(m.reason());
                        },
                        in -> new ShippedRefusal(in.i64(), in.text()));

        @Override
        public Codec<ShippedRefusal> codec() {
            return CODEC;
        }
    }

    /**
     * Requests the stores of the receiver's threads. Layout: number i64.
     *
     * @param number of the sender's refreshes
     */
    record RefreshRequest(long number) implements SyncMessage {
        static final Codec<RefreshRequest> CODEC =
                new Codec<>(
                        0x68,
                        "refresh-request",
                        RefreshRequest.class,
                        (m, out) -> out.i64(m.number()),
                        in -> new RefreshRequest(in.i64()));

        @Override
        public Codec<RefreshRequest> codec() {
            return CODEC;
        }
    }

    /**
     * The earlier stores of the sender's threads are released. Layout: number i64, cargo.
     *
     * @param number of the request
     */
    record RefreshReply(long number, Cargo cargo) implements Carrier {
        static final Codec<RefreshReply> CODEC =
                new Codec<>(
                        0x69,
                        "refresh-reply",
                        RefreshReply.class,
                        (m, out) -> {
                            out.i64(m.number());
                            m.cargo().encode(out);
                        },
                        in -> new RefreshReply(in.i64(), Cargo.decode(in)));

        @Override
        public Codec<RefreshReply> codec() {
            return CODEC;
        }
    }

    /** The codecs of all messages. */
    List<Codec<?>> CODECS =
            List.of(
                    LockRequest.CODEC,
                    LockGrant.CODEC,
                    BarrierArrive.CODEC,
                    BarrierDepart.CODEC,
                    BarrierTimeout.CODEC,
                    BarrierBroken.CODEC,
                    BarrierGather.CODEC,
                    BarrierGathered.CODEC,
                    Letter.CODEC,
                    LetterCredit.CODEC,
                    LetterStall.CODEC,
                    ShippedCall.CODEC,
                    ShippedReply.CODEC,
                    ShippedRefusal.CODEC,
                    ConditionWait.CODEC,
                    ConditionQueued.CODEC,
                    ConditionSignal.CODEC,
                    ConditionSignalled.CODEC,
                    ConditionWake.CODEC,
                    ConditionCancel.CODEC,
                    ConditionCancelled.CODEC,
                    RefreshRequest.CODEC,
                    RefreshReply.CODEC);

    private static ConditionId readCondition(WireReader in) {
        return new ConditionId(new LockId(in.text()), in.text());
    }
}
