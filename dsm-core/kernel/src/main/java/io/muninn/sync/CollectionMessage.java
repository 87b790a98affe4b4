package io.muninn.sync;

import io.muninn.spi.Cargo;
import io.muninn.wire.Codec;
import io.muninn.wire.WireMessage;
import java.util.List;

/** The messages of collections of lazy data; their layouts. */
public sealed interface CollectionMessage extends WireMessage {
    /** Contains cargo for the node that receives it. */
    sealed interface Carrier extends CollectionMessage {
        Cargo cargo();
    }

    /** From a node that takes part in collections of lazy data, to the root. */
    sealed interface Report extends CollectionMessage {}

    /** From the root to every node that takes part in a collection, itself included. */
    sealed interface Order extends CollectionMessage {}

    /** The sender keeps more lazy data than the bound. Layout: nothing. */
    record CollectWanted() implements Report {
        static final CollectWanted INSTANCE = new CollectWanted();
        static final Codec<CollectWanted> CODEC =
                new Codec<>(
                        0x70, "collect-wanted", CollectWanted.class, (_, _) -> {}, _ -> INSTANCE);

        @Override
        public Codec<CollectWanted> codec() {
            return CODEC;
        }
    }

    /** A collection begins. Layout: number i64. */
    record CollectBegin(long number) implements Order {
        static final Codec<CollectBegin> CODEC =
                new Codec<>(
                        0x71,
                        "collect-begin",
                        CollectBegin.class,
                        (m, out) -> out.i64(m.number()),
                        in -> new CollectBegin(in.i64()));

        @Override
        public Codec<CollectBegin> codec() {
            return CODEC;
        }
    }

    /**
     * The intervals that the sender holds: the cargo's timestamp covers them, its parts are those
     * that the root lacks. Layout: number i64, cargo.
     */
    record CollectHave(long number, Cargo cargo) implements Report, Carrier {
        static final Codec<CollectHave> CODEC =
                new Codec<>(
                        0x72,
                        "collect-have",
                        CollectHave.class,
                        (m, out) -> {
                            out.i64(m.number());
                            m.cargo().encode(out);
                        },
                        in -> new CollectHave(in.i64(), Cargo.decode(in)));

        @Override
        public Codec<CollectHave> codec() {
            return CODEC;
        }
    }

    /**
     * The intervals to be collected: the cargo's timestamp covers them, its parts are those that
     * the receiver lacks. Layout: number i64, cargo.
     */
    record CollectValidate(long number, Cargo cargo) implements Order, Carrier {
        static final Codec<CollectValidate> CODEC =
                new Codec<>(
                        0x73,
                        "collect-validate",
                        CollectValidate.class,
                        (m, out) -> {
                            out.i64(m.number());
                            m.cargo().encode(out);
                        },
                        in -> new CollectValidate(in.i64(), Cargo.decode(in)));

        @Override
        public Codec<CollectValidate> codec() {
            return CODEC;
        }
    }

    /** The sender needs no more of the collected data. Layout: number i64. */
    record CollectDone(long number) implements Report {
        static final Codec<CollectDone> CODEC =
                new Codec<>(
                        0x74,
                        "collect-done",
                        CollectDone.class,
                        (m, out) -> out.i64(m.number()),
                        in -> new CollectDone(in.i64()));

        @Override
        public Codec<CollectDone> codec() {
            return CODEC;
        }
    }

    /** No node needs the collected data. Layout: number i64. */
    record CollectFree(long number) implements Order {
        static final Codec<CollectFree> CODEC =
                new Codec<>(
                        0x75,
                        "collect-free",
                        CollectFree.class,
                        (m, out) -> out.i64(m.number()),
                        in -> new CollectFree(in.i64()));

        @Override
        public Codec<CollectFree> codec() {
            return CODEC;
        }
    }

    /** The codecs of all messages. */
    List<Codec<?>> CODECS =
            List.of(
                    CollectWanted.CODEC,
                    CollectBegin.CODEC,
                    CollectHave.CODEC,
                    CollectValidate.CODEC,
                    CollectDone.CODEC,
                    CollectFree.CODEC);
}
