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
import java.util.ArrayList;
import java.util.List;

/** The messages of {@link Lazy}, with their layouts. */
public final class LazyMessages {
    private LazyMessages() {}

    /** A message of the lazy protocol. */
    public sealed interface Msg extends ProtocolMessage {}

    /**
     * Requests copies of pages from their keeper, or from a node that has stored to them since. A
     * node without a copy of a page forwards the request for it to a later keeper. Layout: asker,
     * collection i64, count u16, then per page: page.
     *
     * @param collection number of the last collection in which the requester has taken part: the
     *     images must contain everything that it covers
     * @param pages at least one
     */
    public record ImageRequest(NodeId asker, long collection, List<PageId> pages)
            implements Msg, ProtocolMessage.ForwardedRequest {
        static final Codec<ImageRequest> CODEC =
                new Codec<>(
                        0x90,
                        "image-request",
                        ImageRequest.class,
                        (m, out) -> {
                            out.node(m.asker());
                            out.i64(m.collection());
                            out.list(m.pages(), (page, to) -> to.page(page));
                        },
                        in -> new ImageRequest(in.node(), in.i64(), in.list(WireReader::page)));

        public ImageRequest {
            pages = List.copyOf(pages);
        }

        /** The request for one of its pages. */
        ImageRequest of(PageId page) {
            return new ImageRequest(asker, collection, List.of(page));
        }

        /** True if one request may name the pages of both. */
        boolean isAlike(ImageRequest other) {
            return asker.equals(other.asker) && collection == other.collection;
        }

        /** A request for the pages of two that are alike. */
        ImageRequest and(ImageRequest other) {
            List<PageId> all = new ArrayList<>(pages);
            all.addAll(other.pages);
            return new ImageRequest(asker, collection, all);
        }

        @Override
        public int pageCount() {
            return pages.size();
        }

        @Override
        public PageId page(int index) {
            return pages.get(index);
        }

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
     * A page of an {@link ImageReply}.
     *
     * @param exclusive true if the sender had the only copy, and has none any more
     * @param applied exactly the diffs that the image contains
     */
    public record Image(PageId page, boolean exclusive, AppliedDiffs applied, Payload image) {}

    /**
     * Sends copies of pages, or hands pages over. Layout: count u16, then per page: page, exclusive
     * flag, applied, image payload.
     */
    public record ImageReply(List<Image> images) implements Msg, ProtocolMessage.Reply {
        static final Codec<ImageReply> CODEC =
                new Codec<>(
                        0x91,
                        "image-reply",
                        ImageReply.class,
                        (m, out) ->
                                out.list(
                                        m.images(),
                                        (each, to) -> {
                                            to.page(each.page());
                                            to.flag(each.exclusive());
                                            CopiesCodec.write(each.applied(), to);
                                            to.payload(each.image());
                                        }),
                        LazyMessages::readImages);

        public ImageReply {
            images = List.copyOf(images);
        }

        @Override
        public int pageCount() {
            return images.size();
        }

        @Override
        public PageId page(int index) {
            return images.get(index).page();
        }

        @Override
        public Payload imageOf(PageId of) {
            return of(of).image();
        }

        @Override
        public boolean givesOwnership(PageId of) {
            return of(of).exclusive();
        }

        private Image of(PageId page) {
            for (Image each : images) {
                if (each.page().equals(page)) {
                    return each;
                }
            }
            throw new IllegalArgumentException("no image of " + page + " is in " + this);
        }

        @Override
        public Codec<ImageReply> codec() {
            return CODEC;
        }
    }

    private static ImageReply readImages(WireReader in) {
        CopiesCodec copies = new CopiesCodec();
        return new ImageReply(
                in.list(from ->
                        new Image(from.page(), from.flag(), copies.applied(from), from.payload())));
    }

    /** Identifies a diff of a page: its writer and interval. */
    public record DiffName(NodeId writer, long interval) implements Comparable<DiffName> {
        @Override
        public int compareTo(DiffName other) {
            int byWriter = writer.compareTo(other.writer);
            return byWriter != 0 ? byWriter : Long.compare(interval, other.interval);
        }

        /** True if a copy that contains these diffs contains this one. */
        boolean isIn(AppliedDiffs applied) {
            return interval <= applied.interval(writer);
        }
    }

    /**
     * Whether a requester accepts an image in place of diffs, and which content it must have.
     *
     * @param isTaken false if it accepts none
     * @param collection number of the last collection in which the requester has taken part: the
     *     image must contain everything that it covers
     * @param base diffs that the image must contain, because only the requester's copy has them
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
     * A page of a {@link DiffRequest}.
     *
     * @param diffs that the sender lacks, among them one of the receiver's own
     */
    public record WantedDiffs(PageId page, List<DiffName> diffs, ImageTerms image) {
        public WantedDiffs {
            diffs = List.copyOf(diffs);
        }

        private static void write(WantedDiffs each, WireWriter out) {
            out.page(each.page());
            out.list(
                    each.diffs(),
                    (diff, to) -> {
                        to.node(diff.writer());
                        to.varint(diff.interval());
                    });
            ImageTerms.write(each.image(), out);
        }

        private static WantedDiffs read(WireReader in) {
            return new WantedDiffs(
                    in.page(),
                    in.list(from -> new DiffName(from.node(), from.varint(Long.MAX_VALUE))),
                    ImageTerms.read(in));
        }
    }

    /**
     * Requests diffs of pages. Layout: count u16, then per page: page, count u16, then per diff:
     * writer, interval varint; then flag u8, collection i64, base.
     *
     * @param wanted at least one page
     */
    public record DiffRequest(List<WantedDiffs> wanted)
            implements Msg, ProtocolMessage.StoresRequest {
        static final Codec<DiffRequest> CODEC =
                new Codec<>(
                        0x92,
                        "diff-request",
                        DiffRequest.class,
                        (m, out) -> out.list(m.wanted(), WantedDiffs::write),
                        in -> new DiffRequest(in.list(WantedDiffs::read)));

        public DiffRequest {
            wanted = List.copyOf(wanted);
        }

        @Override
        public int pageCount() {
            return wanted.size();
        }

        @Override
        public PageId page(int index) {
            return wanted.get(index).page();
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
     * The changes that an interval of a node has made to a page.
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
     * A page of a {@link DiffReply}.
     *
     * @param diffs the requested diffs that the sender has, at least one
     */
    public record GivenDiffs(PageId page, List<NamedDiff> diffs) {
        public GivenDiffs {
            diffs = List.copyOf(diffs);
        }

        private static void write(GivenDiffs each, WireWriter out) {
            out.page(each.page());
            out.list(each.diffs(), NamedDiff::write);
        }

        private static GivenDiffs read(WireReader in) {
            return new GivenDiffs(in.page(), in.list(NamedDiff::read));
        }
    }

    /**
     * Replies with diffs. Layout: count u16, then per page: page, count u16, then per diff: writer,
     * interval varint, diff payload.
     */
    public record DiffReply(List<GivenDiffs> given) implements Msg, ProtocolMessage.StoresReply {
        static final Codec<DiffReply> CODEC =
                new Codec<>(
                        0x93,
                        "diff-reply",
                        DiffReply.class,
                        (m, out) -> out.list(m.given(), GivenDiffs::write),
                        in -> new DiffReply(in.list(GivenDiffs::read)));

        public DiffReply {
            given = List.copyOf(given);
        }

        @Override
        public int pageCount() {
            return given.size();
        }

        @Override
        public PageId page(int index) {
            return given.get(index).page();
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
     * Replies to a request for diffs of a page with an image that contains them. Layout: page,
     * applied, image payload, count u16, then per diff: writer, interval varint, diff payload.
     *
     * @param applied exactly the diffs that the image contains
     * @param diffs some of them, with which the receiver can itself reply to such requests
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

    /**
     * Sends unrequested diffs of the sender, before an arrival at a barrier. The receiver may drop
     * them. Layout: count u16, then per page: page, count u16, then per diff: writer, interval
     * varint, diff payload.
     */
    public record Push(List<GivenDiffs> given) implements Msg {
        static final Codec<Push> CODEC =
                new Codec<>(
                        0x95,
                        "push",
                        Push.class,
                        (m, out) -> out.list(m.given(), GivenDiffs::write),
                        in -> new Push(in.list(GivenDiffs::read)));

        public Push {
            given = List.copyOf(given);
        }

        @Override
        public int pageCount() {
            return given.size();
        }

        @Override
        public PageId page(int index) {
            return given.get(index).page();
        }

        @Override
        public Codec<Push> codec() {
            return CODEC;
        }
    }

    /**
     * Notifies the receiver that the sender has not read its pushed diffs of these pages. Layout:
     * count u16, then per page: page.
     *
     * @param pages at least one
     */
    public record Unread(List<PageId> pages) implements Msg {
        static final Codec<Unread> CODEC =
                new Codec<>(
                        0x96,
                        "unread",
                        Unread.class,
                        (m, out) -> out.list(m.pages(), (page, to) -> to.page(page)),
                        in -> new Unread(in.list(WireReader::page)));

        public Unread {
            pages = List.copyOf(pages);
        }

        @Override
        public int pageCount() {
            return pages.size();
        }

        @Override
        public PageId page(int index) {
            return pages.get(index);
        }

        @Override
        public String tableEvent() {
            return ""; // concerns the readers, not the state of the page
        }

        @Override
        public Codec<Unread> codec() {
            return CODEC;
        }
    }

    /** The codecs of {@link Lazy}; {@link Hybrid} has more. */
    public static final List<Codec<?>> CODECS =
            List.of(
                    ImageRequest.CODEC,
                    ImageReply.CODEC,
                    DiffRequest.CODEC,
                    DiffReply.CODEC,
                    CopyReply.CODEC);

    /** The codecs that {@link Hybrid} has in addition. */
    public static final List<Codec<?>> CODECS_OF_PUSHES = List.of(Push.CODEC, Unread.CODEC);
}
