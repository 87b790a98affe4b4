package io.muninn.coherence.homebased;

import io.muninn.api.Protocol;
import io.muninn.coherence.shared.CopiesCodec;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolMessage;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import io.muninn.wire.WireReader;
import java.util.List;
import java.util.Optional;

/** The messages of {@link HomeBased}, with their layouts. */
public final class HomeBasedMessages {
    private HomeBasedMessages() {}

    /** A message of the home-based protocol. */
    public sealed interface Msg extends ProtocolMessage {}

    /**
     * A page of a {@link VersionRequest}.
     *
     * @param claims the requester stores to the page, and claims to be its home if it has none yet
     * @param need the flushes that the image must contain: for each node all up to an interval
     */
    public record NeededPage(PageId page, boolean claims, AppliedDiffs need) {}

    /**
     * Requests pages from the home. The root forwards it to the homes that it has decided on.
     * Layout: asker, count u16, then per page: page, claims flag, need.
     */
    public record VersionRequest(NodeId asker, List<NeededPage> needed)
            implements Msg, ProtocolMessage.ForwardedRequest {
        static final Codec<VersionRequest> CODEC =
                new Codec<>(
                        0x80,
                        "version-request",
                        VersionRequest.class,
                        (m, out) -> {
                            out.node(m.asker());
                            out.list(
                                    m.needed(),
                                    (each, to) -> {
                                        to.page(each.page());
                                        to.flag(each.claims());
                                        CopiesCodec.write(each.need(), to);
                                    });
                        },
                        HomeBasedMessages::readRequest);

        @Override
        public int pageCount() {
            return needed.size();
        }

        @Override
        public PageId page(int index) {
            return needed.get(index).page();
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<VersionRequest> codec() {
            return CODEC;
        }
    }

    private static VersionRequest readRequest(WireReader in) {
        CopiesCodec needs = new CopiesCodec();
        return new VersionRequest(
                in.node(),
                in.list(from -> new NeededPage(from.page(), from.flag(), needs.applied(from))));
    }

    /**
     * A page of a {@link VersionReply}.
     *
     * @param version content of the image: for each node all flushes up to an interval, for the
     *     home all stores up to one
     */
    public record Copy(PageId page, AppliedDiffs version, Payload image) {}

    /**
     * A reply with copies of pages. Layout: count u16, then per page: page, version, image payload.
     */
    public record VersionReply(List<Copy> copies) implements Msg, ProtocolMessage.Reply {
        static final Codec<VersionReply> CODEC =
                new Codec<>(
                        0x81,
                        "version-reply",
                        VersionReply.class,
                        (m, out) ->
                                out.list(
                                        m.copies(),
                                        (each, to) -> {
                                            to.page(each.page());
                                            CopiesCodec.write(each.version(), to);
                                            to.payload(each.image());
                                        }),
                        HomeBasedMessages::readReply);

        @Override
        public int pageCount() {
            return copies.size();
        }

        @Override
        public PageId page(int index) {
            return copies.get(index).page();
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Payload imageOf(PageId page) {
            for (Copy each : copies) {
                if (each.page().equals(page)) {
                    return each.image();
                }
            }
            throw new IllegalArgumentException("no copy of " + page + " is in " + this);
        }

        @Override
        public Codec<VersionReply> codec() {
            return CODEC;
        }
    }

    private static VersionReply readReply(WireReader in) {
        CopiesCodec versions = new CopiesCodec();
        return new VersionReply(
                in.list(from -> new Copy(from.page(), versions.applied(from), from.payload())));
    }

    /**
     * Requests the initial content of a page from the root, sent by the page's home. Layout: page.
     */
    public record BaseRequest(PageId page)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.Request {
        static final Codec<BaseRequest> CODEC =
                new Codec<>(
                        0x82,
                        "base-request",
                        BaseRequest.class,
                        (m, out) -> out.page(m.page()),
                        in -> new BaseRequest(in.page()));

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<BaseRequest> codec() {
            return CODEC;
        }
    }

    /** Replies with the first content of a page. Layout: page, image payload. */
    public record BaseReply(PageId page, Payload image)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.Reply {
        static final Codec<BaseReply> CODEC =
                new Codec<>(
                        0x83,
                        "base-reply",
                        BaseReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.payload(m.image());
                        },
                        in -> new BaseReply(in.page(), in.payload()));

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public Codec<BaseReply> codec() {
            return CODEC;
        }
    }

    /**
     * One page of a flush.
     *
     * @param diff {@link Payload#NONE} if the page equals its twin
     */
    public record FlushedPage(PageId page, Payload diff) {}

    /**
     * The changes that an interval of a node has made to pages of the receiver. The root forwards
     * it to the homes that it has decided on. Layout: writer, interval i64, acknowledge flag, count
     * u16, then per page: page, diff payload.
     *
     * @param writer the node that has stored, not a forwarder
     * @param interval counted by the writer
     * @param acknowledge the sender requests a {@link FlushAck}
     */
    public record HomeFlush(
            NodeId writer, long interval, boolean acknowledge, List<FlushedPage> flushed)
            implements Msg, ProtocolMessage.Flush {
        static final Codec<HomeFlush> CODEC =
                new Codec<>(
                        0x84,
                        "home-flush",
                        HomeFlush.class,
                        (m, out) -> {
                            out.node(m.writer());
                            out.i64(m.interval());
                            out.flag(m.acknowledge());
                            out.list(
                                    m.flushed(),
                                    (each, to) -> {
                                        to.page(each.page());
                                        to.payload(each.diff());
                                    });
                        },
                        in ->
                                new HomeFlush(
                                        in.node(),
                                        in.i64(),
                                        in.flag(),
                                        in.list(from ->
                                                new FlushedPage(from.page(), from.payload()))));

        @Override
        public int pageCount() {
            return flushed.size();
        }

        @Override
        public PageId page(int index) {
            return flushed.get(index).page();
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<HomeFlush> codec() {
            return CODEC;
        }
    }

    /** All flushes that the receiver has sent so far are applied. No fields. */
    public record FlushAck() implements Msg, ProtocolMessage.Acknowledgement {
        static final Codec<FlushAck> CODEC =
                new Codec<>(0x85, "flush-ack", FlushAck.class, (_, _) -> {}, _ -> new FlushAck());

        @Override
        public int pageCount() {
            return 0;
        }

        @Override
        public PageId page(int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        public Optional<Protocol> addressee() {
            return Optional.of(Protocol.HOME_BASED);
        }

        @Override
        public Codec<FlushAck> codec() {
            return CODEC;
        }
    }

    /**
     * One page of a grant.
     *
     * @param image {@link Payload#NONE} if the receiver has the content, because only it has stored
     *     to the page
     */
    public record GrantedPage(PageId page, Payload image) {}

    /**
     * The receiver is the home of these pages from now on, because it was the first to store to
     * them. Layout: count u16, then per page: page, image payload.
     */
    public record HomeGrant(List<GrantedPage> granted) implements Msg, ProtocolMessage.Reply {
        static final Codec<HomeGrant> CODEC =
                new Codec<>(
                        0x86,
                        "home-grant",
                        HomeGrant.class,
                        (m, out) ->
                                out.list(
                                        m.granted(),
                                        (each, to) -> {
                                            to.page(each.page());
                                            to.payload(each.image());
                                        }),
                        in ->
                                new HomeGrant(
                                        in.list(from ->
                                                new GrantedPage(from.page(), from.payload()))));

        @Override
        public int pageCount() {
            return granted.size();
        }

        @Override
        public PageId page(int index) {
            return granted.get(index).page();
        }

        @Override
        public Payload imageOf(PageId page) {
            for (GrantedPage each : granted) {
                if (each.page().equals(page)) {
                    return each.image();
                }
            }
            throw new IllegalArgumentException("no grant of " + page + " is in " + this);
        }

        @Override
        public boolean givesOwnership(PageId page) {
            return true;
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<HomeGrant> codec() {
            return CODEC;
        }
    }

    /**
     * The sender is the home of these pages, and has applied a flush that the root has forwarded.
     * Layout: interval i64, count u16, then per page: page.
     *
     * @param interval of the receiver, whose flush it was
     */
    public record HomeFound(long interval, List<PageId> pages) implements Msg {
        static final Codec<HomeFound> CODEC =
                new Codec<>(
                        0x87,
                        "home-found",
                        HomeFound.class,
                        (m, out) -> {
                            out.i64(m.interval());
                            out.list(m.pages(), (each, to) -> to.page(each));
                        },
                        in -> new HomeFound(in.i64(), in.list(WireReader::page)));

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
            return ""; // changes no state
        }

        @Override
        public Codec<HomeFound> codec() {
            return CODEC;
        }
    }

    public static final List<Codec<?>> CODECS =
            List.of(
                    VersionRequest.CODEC,
                    VersionReply.CODEC,
                    BaseRequest.CODEC,
                    BaseReply.CODEC,
                    HomeFlush.CODEC,
                    FlushAck.CODEC,
                    HomeGrant.CODEC,
                    HomeFound.CODEC);
}
