package io.muninn.coherence.invalidate;

import io.muninn.coherence.shared.CopiesCodec;
import io.muninn.coherence.shared.Deferrals;
import io.muninn.coherence.shared.Outrun;
import io.muninn.coherence.shared.Requests;
import io.muninn.directory.Copyset;
import io.muninn.directory.DirectoryEntry;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.Context;
import io.muninn.spi.Effects;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.Mark;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import java.util.List;

/**
 * Conventional: one writer or many readers. A store waits until its node owns the page and every
 * other copy is gone, so a region is sequentially consistent in protocol order.
 *
 * <p>Source: Li and Hudak, "Memory Coherence in Shared Virtual Memory Systems", TOCS 7(4), 1989,
 * the dynamic distributed manager, as Munin §2.2 uses it. Departures: the new owner sends the
 * invalidations; a grant to a node that holds a copy carries no bytes; a page just obtained is held
 * for the hold time; a page travels with a lock; generations distinguish an image that an
 * invalidation has overtaken from a newer one.
 *
 * <pre>
 *                read fault        write fault          ReadRequest (6)    WriteRequest (6)
 * Invalid        ask, →AwaitCopy   ask, →AwaitGrant     forward            forward, owner:=asker
 * Shared         resume            ask, →AwaitGrant     forward            forward, owner:=asker
 * Shared owner   resume            invalidate (1)       send copy          grant, →Invalid
 * Exclusive      resume            resume               copy, →Shared (2)  grant, →Invalid (2)
 * AwaitCopy      join              join                 forward            forward, owner:=asker
 * AwaitGrant     join              join                 defer              defer
 * AwaitAcks      join              join                 defer              defer
 *
 *                ReadReply             WriteGrant           Invalidate          InvalidateAck
 * Invalid        drop (7)              →Exclusive (8)       impossible          impossible
 * Shared         drop (7)              impossible           ack, →Invalid (2)   impossible
 * Shared owner   drop (7)              impossible           impossible          impossible
 * Exclusive      drop (7)              impossible           impossible          impossible
 * AwaitCopy      install, →Shared (5)  →Exclusive (8)       ack, mark dead (3)  impossible
 * AwaitGrant     drop (7)              →AwaitAcks (1) (8)   end copy, ack (4)   impossible
 * AwaitAcks      drop (7)              impossible           impossible          count, →Exclusive
 *
 * (1) with no other copy: →Exclusive at once
 * (2) within the hold time, or behind deferred requests: defer. The timer HoldOver ends the hold
 *     time and answers the deferred requests in order
 * (3) an image older than the mark is not installed, and the page is requested again
 * (4) impossible if the copy is gone already
 * (5) as (3) and (7). A prefetched page that no thread has accessed is installed without access and
 *     not held: the first load shows that it is used
 * (6) a request that the page has overtaken: drop
 * (7) the page has overtaken the request that it answers, and the image is of an older generation.
 *     Any other is impossible
 * (8) a page that travels with a lock: install, →Exclusive. It overtakes the outstanding request of
 *     this node. Impossible if this node has a copy
 * </pre>
 *
 * When a lock is passed to another node, a page that is Exclusive is sent with it, →Invalid, unless
 * it is within the hold time or requests are deferred.
 *
 * <p>A request of this node for a page for which it waits is impossible everywhere, unless the page
 * has overtaken it.
 */
public final class Conventional extends WriteInvalidate {
    /** Threads of this node wait to store until the last acknowledgement arrives. */
    record AwaitAcks(Copyset missing, long generation, Deferrals<Msg> deferred)
            implements State.Ending {
        @Override
        public AwaitAcks without(NodeId node) {
            return new AwaitAcks(missing.without(node), generation, deferred);
        }
    }

    /** The messages of this protocol. */
    public sealed interface Msg extends ProtocolMessage.OfOnePage {}

    /**
     * Requests a copy; forwarded along probable owners to the owner. Layout: page, asker, number
     * i64.
     *
     * @param number of the requester's request
     */
    public record ReadRequest(PageId page, NodeId asker, long number)
            implements Msg, ProtocolMessage.ForwardedRequest {
        static final Codec<ReadRequest> CODEC =
                new Codec<>(
                        0x10,
                        "read-request",
                        ReadRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                            out.i64(m.number());
                        },
                        in -> new ReadRequest(in.page(), in.node(), in.i64()));

        @Override
        public Codec<ReadRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Requests ownership; forwarded along probable owners, and shortens the path. Layout: page,
     * asker, number i64.
     *
     * @param number of the requester's request
     */
    public record WriteRequest(PageId page, NodeId asker, long number)
            implements Msg, ProtocolMessage.ForwardedRequest {
        static final Codec<WriteRequest> CODEC =
                new Codec<>(
                        0x11,
                        "write-request",
                        WriteRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                            out.i64(m.number());
                        },
                        in -> new WriteRequest(in.page(), in.node(), in.i64()));

        @Override
        public Codec<WriteRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Sends a copy, from the owner. Layout: page, answered i64, generation i64, image payload.
     *
     * @param answered number of the request that it answers
     */
    public record ReadReply(PageId page, long answered, long generation, Payload image)
            implements Msg, ProtocolMessage.Reply {
        static final Codec<ReadReply> CODEC =
                new Codec<>(
                        0x12,
                        "read-reply",
                        ReadReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.answered());
                            out.i64(m.generation());
                            out.payload(m.image());
                        },
                        in -> new ReadReply(in.page(), in.i64(), in.i64(), in.payload()));

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public Codec<ReadReply> codec() {
            return CODEC;
        }
    }

    /**
     * Transfers ownership, the set of copies to invalidate, and the bytes unless the requester has
     * them. Layout: page, answered i64, generation i64, copyset, count u16 and that many outrun
     * requests: asker and number i64; image payload or none.
     *
     * @param answered number of the request that it answers; {@link Requests#UNASKED} if the page
     *     travels with a lock
     * @param generation counts the owners of the page
     * @param copyset nodes that may hold a copy, without old and new owner
     * @param outrun requests that the page has overtaken, by requester
     */
    public record WriteGrant(
            PageId page,
            long answered,
            long generation,
            Copyset copyset,
            List<Outrun> outrun,
            Payload image)
            implements Msg, ProtocolMessage.Reply {
        static final Codec<WriteGrant> CODEC =
                new Codec<>(
                        0x13,
                        "write-grant",
                        WriteGrant.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.answered());
                            out.i64(m.generation());
                            CopiesCodec.write(m.copyset(), out);
                            out.list(m.outrun(), Outrun::encode);
                            out.payload(m.image());
                        },
                        in ->
                                new WriteGrant(
                                        in.page(),
                                        in.i64(),
                                        in.i64(),
                                        CopiesCodec.nodes(in),
                                        in.list(Outrun::decode),
                                        in.payload()));

        public WriteGrant {
            outrun = List.copyOf(outrun);
        }

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public boolean givesOwnership(PageId of) {
            return true;
        }

        @Override
        public Codec<WriteGrant> codec() {
            return CODEC;
        }
    }

    /** Invalidates a copy, from the new owner. Layout: page, generation i64. */
    public record Invalidate(PageId page, long generation)
            implements Msg, ProtocolMessage.Invalidation {
        static final Codec<Invalidate> CODEC =
                new Codec<>(
                        0x14,
                        "invalidate",
                        Invalidate.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.generation());
                        },
                        in -> new Invalidate(in.page(), in.i64()));

        @Override
        public Codec<Invalidate> codec() {
            return CODEC;
        }
    }

    /** The copy is gone. Layout: page, generation i64. */
    public record InvalidateAck(PageId page, long generation)
            implements Msg, ProtocolMessage.Acknowledgement {
        static final Codec<InvalidateAck> CODEC =
                new Codec<>(
                        0x15,
                        "invalidate-ack",
                        InvalidateAck.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.generation());
                        },
                        in -> new InvalidateAck(in.page(), in.i64()));

        @Override
        public Codec<InvalidateAck> codec() {
            return CODEC;
        }
    }

    /** The contract that other code may rely on. */
    public static final ProtocolTraits TRAITS =
            ProtocolTraits.of(
                            MemoryModel.SEQUENTIAL_CONSISTENCY,
                            Trait.ONE_WRITER,
                            Trait.TRAVELS_WITH_LOCKS,
                            Trait.HELD)
                    .state("Invalid", PageAccess.NONE)
                    .state("Shared", PageAccess.READ)
                    .state("Shared owner", PageAccess.READ, Mark.ANSWERS)
                    .state("Exclusive", PageAccess.READ_WRITE, Mark.ANSWERS)
                    .state("AwaitCopy", PageAccess.NONE, Mark.THREADS_WAIT)
                    .state("AwaitGrant", PageAccess.READ, Mark.ANSWERS, Mark.THREADS_WAIT)
                    .state(
                            "AwaitAcks",
                            PageAccess.READ,
                            Mark.ANSWERS,
                            Mark.THREADS_WAIT,
                            Mark.AWAITS_ACKS);

    public static final List<Codec<?>> CODECS =
            List.of(
                    ReadRequest.CODEC,
                    WriteRequest.CODEC,
                    ReadReply.CODEC,
                    WriteGrant.CODEC,
                    Invalidate.CODEC,
                    InvalidateAck.CODEC);

    public Conventional(Context context) {
        super(context, false);
    }

    @Override
    void endCopies(
            DirectoryEntry<State> entry,
            Copyset others,
            long generation,
            Deferrals<Msg> deferred,
            Effects out) {
        entry.become(new AwaitAcks(others, generation, deferred));
        sendInvalidations(entry, others, generation, out);
    }

    @Override
    void onCopiesEnded(DirectoryEntry<State> entry, State.Ending ended, Effects out) {
        enterExclusive(entry, ended.generation(), ended.deferred(), out);
    }
}
