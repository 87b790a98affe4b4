package io.muninn.coherence.lazy;

import io.muninn.coherence.shared.CopiesCodec;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolMessage;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.List;

/** The messages of {@link Lazy}, with their layouts. */
public final class LazyMessages {
    private LazyMessages() {}

    /** A message of the lazy protocol. */
    public sealed interface Msg extends ProtocolMessage {}

    /**
     * Asks the keeper of a page for a copy, or a node that has stored to it since; one that has
     * none forwards it to a later keeper. Layout: page, asker u8, collection i64.
     *
     * @param collection number of the last collection in which the asker has taken part: the image
     *     is to contain what it covers
     */
    public record ImageRequest(PageId page, NodeId asker, long collection)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.ForwardedRequest {
        static final Codec<ImageRequest> CODEC =
                new Codec<>(
                        0x90,
                        "image-request",
                        ImageRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                            out.i64(m.collection());
                        },
                        in -> new ImageRequest(in.page(), in.node(), in.i64()));

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<ImageRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Gives a copy of a page. Layout: page, applied, image payload.
     *
     * @param applied exactly the diffs that the image contains
     */
    public record ImageReply(PageId page, AppliedDiffs applied, Payload image)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.Reply {
        static final Codec<ImageReply> CODEC =
                new Codec<>(
                        0x91,
                        "image-reply",
                        ImageReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            CopiesCodec.write(m.applied(), out);
                            out.payload(m.image());
                        },
                        in ->
                                new ImageReply(
                                        in.page(), new CopiesCodec().applied(in), in.payload()));

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public Codec<ImageReply> codec() {
            return CODEC;
        }
    }

    /** Names the diff of a page: whose stores it has, and of which interval. */
    public record DiffName(NodeId writer, long interval) implements Comparable<DiffName> {
        @Override
        public int compareTo(DiffName other) {
            int byWriter = writer.compareTo(other.writer);
            return byWriter != 0 ? byWriter : Long.compare(interval, other.interval);
        }

        /** Whether a copy that contains these diffs contains this one. */
        boolean isIn(AppliedDiffs applied) {
            return interval <= applied.interval(writer);
        }
    }

    /**
     * Whether a node takes an image in place of diffs, and which.
     *
     * @param isTaken false if it takes none
     * @param collection number of the last collection in which it has taken part: the image is to
     *     contain what that covers
     * @param base diffs that the image must contain, because the asker has them in its copy only
     */
    public record ImageTerms(boolean isTaken, long collection, AppliedDiffs base) {
        static final ImageTerms NONE = new ImageTerms(false, 0, AppliedDiffs.EMPTY);

        private static void write(ImageTerms terms, WireWriter out) {
            out.flag(terms.isTaken());
            out.i64(terms.collection());
            CopiesCodec.write(terms.base(), out);
        }

        private static ImageTerms read(WireReader in) {
            return new ImageTerms(in.flag(), in.i64(), new CopiesCodec().applied(in));
        }
    }

    /**
     * Asks for diffs of a page, among them one of the receiver's own. Layout: page, count u16, then
     * per diff: writer u8, interval varint; then flag u8, collection i64, base.
     *
     * @param diffs that the sender lacks
     */
    public record DiffRequest(PageId page, List<DiffName> diffs, ImageTerms image)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.StoresRequest {
        static final Codec<DiffRequest> CODEC =
                new Codec<>(
                        0x92,
                        "diff-request",
                        DiffRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.list(
                                    m.diffs(),
                                    (each, to) -> {
                                        to.node(each.writer());
                                        to.varint(each.interval());
                                    });
                            ImageTerms.write(m.image(), out);
                        },
                        in ->
                                new DiffRequest(
                                        in.page(),
                                        in.list(from ->
                                                new DiffName(
                                                        from.node(), from.varint(Long.MAX_VALUE))),
                                        ImageTerms.read(in)));

        public DiffRequest {
            diffs = List.copyOf(diffs);
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<DiffRequest> codec() {
            return CODEC;
        }
    }

    /**
     * What an interval of a node has changed in a page.
     *
     * @param diff {@link Payload#NONE} if it is empty
     */
    public record NamedDiff(DiffName name, Payload diff) {
        private static void write(NamedDiff each, WireWriter out) {
            out.node(each.name().writer());
            out.varint(each.name().interval());
            out.payload(each.diff());
        }

        private static NamedDiff read(WireReader in) {
            return new NamedDiff(new DiffName(in.node(), in.varint(Long.MAX_VALUE)), in.payload());
        }
    }

    /**
     * Gives diffs that a request has named: those that the sender has, and at least one. Layout:
     * page, count u16, then per diff: writer u8, interval varint, diff payload.
     */
    public record DiffReply(PageId page, List<NamedDiff> diffs)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.StoresReply {
        static final Codec<DiffReply> CODEC =
                new Codec<>(
                        0x93,
                        "diff-reply",
                        DiffReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.list(m.diffs(), NamedDiff::write);
                        },
                        in -> new DiffReply(in.page(), in.list(NamedDiff::read)));

        public DiffReply {
            diffs = List.copyOf(diffs);
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<DiffReply> codec() {
            return CODEC;
        }
    }

    /**
     * Answers a request for diffs with an image that contains them. Layout: page, applied, image
     * payload, count u16, then per diff: writer u8, interval varint, diff payload.
     *
     * @param applied exactly the diffs that the image contains
     * @param diffs some of them, with which the receiver can answer such requests itself
     */
    public record CopyReply(PageId page, AppliedDiffs applied, Payload image, List<NamedDiff> diffs)
            implements Msg,
                    ProtocolMessage.OfOnePage,
                    ProtocolMessage.Reply,
                    ProtocolMessage.StoresReply {
        static final Codec<CopyReply> CODEC =
                new Codec<>(
                        0x94,
                        "copy-reply",
                        CopyReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            CopiesCodec.write(m.applied(), out);
                            out.payload(m.image());
                            out.list(m.diffs(), NamedDiff::write);
                        },
                        in ->
                                new CopyReply(
                                        in.page(),
                                        new CopiesCodec().applied(in),
                                        in.payload(),
                                        in.list(NamedDiff::read)));

        public CopyReply {
            diffs = List.copyOf(diffs);
        }

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<CopyReply> codec() {
            return CODEC;
        }
    }

    public static final List<Codec<?>> CODECS =
            List.of(
                    ImageRequest.CODEC,
                    ImageReply.CODEC,
                    DiffRequest.CODEC,
                    DiffReply.CODEC,
                    CopyReply.CODEC);
}
