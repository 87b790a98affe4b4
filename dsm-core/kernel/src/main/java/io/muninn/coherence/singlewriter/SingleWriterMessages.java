package io.muninn.coherence.singlewriter;

import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import java.util.List;

/** The messages of {@link SingleWriter}; their layouts. */
public final class SingleWriterMessages {
    /** A message of this protocol. */
    public sealed interface Msg extends ProtocolMessage.OfOnePage {}

    /**
     * Requests a copy; forwarded unchanged along probable owners. Layout: page, asker.
     *
     * @param asker node that faulted, not a forwarder
     */
    public record CopyRequest(PageId page, NodeId asker)
            implements Msg, ProtocolMessage.ForwardedRequest {
        static final Codec<CopyRequest> CODEC =
                new Codec<>(
                        0xA0,
                        "single-writer-copy-request",
                        CopyRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                        },
                        in -> new CopyRequest(in.page(), in.node()));

        @Override
        public Codec<CopyRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Sends a copy, from the owner. Layout: page, version i64, known timestamp, image payload.
     *
     * @param version of the page; 0 if threads of the owner may store to it, so that the page may
     *     change while it has this version
     * @param known covers intervals whose stores the image contains
     */
    public record CopyReply(PageId page, long version, VectorTimestamp known, Payload image)
            implements Msg, ProtocolMessage.Reply {
        static final Codec<CopyReply> CODEC =
                new Codec<>(
                        0xA1,
                        "single-writer-copy",
                        CopyReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.version());
                            m.known().encode(out);
                            out.payload(m.image());
                        },
                        in ->
                                new CopyReply(
                                        in.page(),
                                        in.i64(),
                                        VectorTimestamp.decode(in),
                                        in.payload()));

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public Codec<CopyReply> codec() {
            return CODEC;
        }
    }

    /**
     * Requests a page and its ownership; forwarded unchanged along probable owners. Layout: page,
     * asker, version i64.
     *
     * @param asker node that faulted, not a forwarder
     * @param version of the requester's copy; 0 if it has none, or the copy has no version
     */
    public record OwnershipRequest(PageId page, NodeId asker, long version)
            implements Msg, ProtocolMessage.ForwardedRequest {
        static final Codec<OwnershipRequest> CODEC =
                new Codec<>(
                        0xA2,
                        "single-writer-request",
                        OwnershipRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                            out.i64(m.version());
                        },
                        in -> new OwnershipRequest(in.page(), in.node(), in.i64()));

        @Override
        public Codec<OwnershipRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Transfers a page and its ownership. Layout: page, version i64, sole flag, image payload or
     * none.
     *
     * @param version of the page that is transferred
     * @param sole no node but the receiver has the page then
     * @param image none if the requester has a copy of this version
     */
    public record OwnershipGrant(PageId page, long version, boolean sole, Payload image)
            implements Msg, ProtocolMessage.Reply {
        static final Codec<OwnershipGrant> CODEC =
                new Codec<>(
                        0xA3,
                        "single-writer-grant",
                        OwnershipGrant.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.i64(m.version());
                            out.flag(m.sole());
                            out.payload(m.image());
                        },
                        in -> new OwnershipGrant(in.page(), in.i64(), in.flag(), in.payload()));

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public boolean givesOwnership(PageId of) {
            return true;
        }

        @Override
        public Codec<OwnershipGrant> codec() {
            return CODEC;
        }
    }

    static final List<Codec<?>> CODECS =
            List.of(
                    CopyRequest.CODEC,
                    CopyReply.CODEC,
                    OwnershipRequest.CODEC,
                    OwnershipGrant.CODEC);

    private SingleWriterMessages() {}
}
