package io.muninn.coherence.weak;

import io.muninn.api.Protocol;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolMessage;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.List;
import java.util.Optional;

/** The messages of {@link Weak} and {@link PooledWeak}, with their layouts. */
public final class WeakMessages {
    private WeakMessages() {}

    /** A message of the weak protocol. */
    public sealed interface Msg extends ProtocolMessage {}

    /** A message about a page. */
    public sealed interface OfOne extends Msg, ProtocolMessage.OfOnePage {}

    /** A message that is about pages, and has no other part for each. */
    public sealed interface OfPages extends Msg {
        @Override
        List<PageId> pages();

        @Override
        default int pageCount() {
            return pages().size();
        }

        @Override
        default PageId page(int index) {
            return pages().get(index);
        }
    }

    /** A message that is about no page. */
    public sealed interface OfNone extends Msg {
        @Override
        default int pageCount() {
            return 0;
        }

        @Override
        default PageId page(int index) {
            throw new IndexOutOfBoundsException(index);
        }

        @Override
        default Optional<Protocol> addressee() {
            return Optional.of(Protocol.WEAK);
        }
    }

    private static void writePages(List<PageId> pages, WireWriter out) {
        out.list(pages, (page, to) -> to.page(page));
    }

    /** The sender maps a page; requests it from its home. Layout: page. */
    public record EnterRequest(PageId page) implements OfOne, ProtocolMessage.Request {
        static final Codec<EnterRequest> CODEC =
                new Codec<>(
                        0xB0,
                        "enter-request",
                        EnterRequest.class,
                        (m, out) -> out.page(m.page()),
                        in -> new EnterRequest(in.page()));

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<EnterRequest> codec() {
            return CODEC;
        }
    }

    /**
     * The receiver is in the map as a mapper of a page. Layout: page, unsafe flag, listed flag,
     * image payload.
     *
     * @param unsafe the receiver must check the page at each acquire, because it is unsafe
     * @param listed the page is on the receiver's weak list
     */
    public record EnterReply(PageId page, boolean unsafe, boolean listed, Payload image)
            implements OfOne, ProtocolMessage.Reply {
        static final Codec<EnterReply> CODEC =
                new Codec<>(
                        0xB1,
                        "enter-reply",
                        EnterReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.flag(m.unsafe());
                            out.flag(m.listed());
                            out.payload(m.image());
                        },
                        in -> new EnterReply(in.page(), in.flag(), in.flag(), in.payload()));

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<EnterReply> codec() {
            return CODEC;
        }
    }

    /** Requests the first content of a page from the root, sent by its home. Layout: page. */
    public record ContentRequest(PageId page) implements OfOne, ProtocolMessage.Request {
        static final Codec<ContentRequest> CODEC =
                new Codec<>(
                        0xB2,
                        "content-request",
                        ContentRequest.class,
                        (m, out) -> out.page(m.page()),
                        in -> new ContentRequest(in.page()));

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<ContentRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Replies with the first content of a page. Layout: page, maps flag, image payload.
     *
     * @param maps the sender keeps its copy, so it is a mapper of the page
     */
    public record ContentReply(PageId page, boolean maps, Payload image)
            implements OfOne, ProtocolMessage.Reply {
        static final Codec<ContentReply> CODEC =
                new Codec<>(
                        0xB3,
                        "content-reply",
                        ContentReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.flag(m.maps());
                            out.payload(m.image());
                        },
                        in -> new ContentReply(in.page(), in.flag(), in.payload()));

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public Codec<ContentReply> codec() {
            return CODEC;
        }
    }

    /**
     * One page of a publication.
     *
     * @param diff {@link Payload#NONE} if the stores follow later
     */
    public record PublishedPage(PageId page, Payload diff) {}

    /**
     * Stores of the sender to pages of the receiver. Layout: number i64, announces flag, count u16,
     * then per page: page, diff payload.
     *
     * @param number of the sender's publications to this home
     * @param announces other mappers must get notices
     */
    public record Publish(long number, boolean announces, List<PublishedPage> published)
            implements Msg, ProtocolMessage.Flush {
        static final Codec<Publish> CODEC =
                new Codec<>(
                        0xB4,
                        "publish",
                        Publish.class,
                        (m, out) -> {
                            out.i64(m.number());
                            out.flag(m.announces());
                            out.list(
                                    m.published(),
                                    (each, to) -> {
                                        to.page(each.page());
                                        to.payload(each.diff());
                                    });
                        },
                        in ->
                                new Publish(
                                        in.i64(),
                                        in.flag(),
                                        in.list(from ->
                                                new PublishedPage(from.page(), from.payload()))));

        public Publish {
            published = List.copyOf(published);
        }

        @Override
        public int pageCount() {
            return published.size();
        }

        @Override
        public PageId page(int index) {
            return published.get(index).page();
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<Publish> codec() {
            return CODEC;
        }
    }

    /**
     * The stores of a publication are in the frames, and the mappers that need notices have them.
     * Layout: number i64.
     *
     * @param number as in {@link Publish}
     */
    public record PublishAck(long number) implements OfNone, ProtocolMessage.Acknowledgement {
        static final Codec<PublishAck> CODEC =
                new Codec<>(
                        0xB5,
                        "publish-ack",
                        PublishAck.class,
                        (m, out) -> out.i64(m.number()),
                        in -> new PublishAck(in.i64()));

        @Override
        public Codec<PublishAck> codec() {
            return CODEC;
        }
    }

    /**
     * Puts pages on the weak list of the receiver, which maps them. Layout: count u16, then per
     * page: page.
     */
    public record Notices(List<PageId> pages) implements OfPages {
        static final Codec<Notices> CODEC =
                new Codec<>(
                        0xB6,
                        "weak-notices",
                        Notices.class,
                        (m, out) -> writePages(m.pages(), out),
                        in -> new Notices(in.list(WireReader::page)));

        public Notices {
            pages = List.copyOf(pages);
        }

        @Override
        public Codec<Notices> codec() {
            return CODEC;
        }
    }

    /**
     * Publications of these pages send no notices any more; the receiver, which maps them, must
     * check them at each acquire. Acknowledged to a home, not to a pool. Layout: count u16, then
     * per page: page.
     */
    public record UnsafePages(List<PageId> pages) implements OfPages {
        static final Codec<UnsafePages> CODEC =
                new Codec<>(
                        0xB7,
                        "weak-unsafe",
                        UnsafePages.class,
                        (m, out) -> writePages(m.pages(), out),
                        in -> new UnsafePages(in.list(WireReader::page)));

        public UnsafePages {
            pages = List.copyOf(pages);
        }

        @Override
        public Codec<UnsafePages> codec() {
            return CODEC;
        }
    }

    /** The receiver's oldest notices without an acknowledgement are in a weak list. No fields. */
    public record NoticesAck() implements OfNone, ProtocolMessage.Acknowledgement {
        static final Codec<NoticesAck> CODEC =
                new Codec<>(
                        0xB8,
                        "weak-notices-ack",
                        NoticesAck.class,
                        (_, _) -> {},
                        _ -> new NoticesAck());

        @Override
        public Codec<NoticesAck> codec() {
            return CODEC;
        }
    }

    /**
     * Asks the home whether copies of the sender may be older than a publication. Layout: count
     * u16, then per page: page.
     */
    public record CheckRequest(List<PageId> pages) implements OfPages {
        static final Codec<CheckRequest> CODEC =
                new Codec<>(
                        0xB9,
                        "check-request",
                        CheckRequest.class,
                        (m, out) -> writePages(m.pages(), out),
                        in -> new CheckRequest(in.list(WireReader::page)));

        public CheckRequest {
            pages = List.copyOf(pages);
        }

        @Override
        public Codec<CheckRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Replies to a check: the copies that may be older than a publication. Layout: count u16, then
     * per page: page.
     */
    public record CheckReply(List<PageId> pages) implements OfPages {
        static final Codec<CheckReply> CODEC =
                new Codec<>(
                        0xBA,
                        "check-reply",
                        CheckReply.class,
                        (m, out) -> writePages(m.pages(), out),
                        in -> new CheckReply(in.list(WireReader::page)));

        public CheckReply {
            pages = List.copyOf(pages);
        }

        @Override
        public String tableEvent() {
            return ""; // the acquire acts on its pages
        }

        @Override
        public Optional<Protocol> addressee() {
            return Optional.of(Protocol.WEAK);
        }

        @Override
        public Codec<CheckReply> codec() {
            return CODEC;
        }
    }

    /**
     * The sender has discarded its copies of these pages. Layout: count u16, then per page: page.
     */
    public record Leave(List<PageId> pages) implements OfPages {
        static final Codec<Leave> CODEC =
                new Codec<>(
                        0xBB,
                        "leave",
                        Leave.class,
                        (m, out) -> writePages(m.pages(), out),
                        in -> new Leave(in.list(WireReader::page)));

        public Leave {
            pages = List.copyOf(pages);
        }

        @Override
        public Codec<Leave> codec() {
            return CODEC;
        }
    }

    /**
     * A publication in the centralized list.
     *
     * @param isKept the writer may keep its copy, if it lacks no other stores
     */
    public record Listed(PageId page, NodeId writer, boolean isKept) {
        private void write(WireWriter out) {
            out.page(page);
            out.node(writer);
            out.flag(isKept);
        }

        private static Listed read(WireReader in) {
            return new Listed(in.page(), in.node(), in.flag());
        }

        /** True if an acquire of a node must act on it. */
        boolean isFor(int node) {
            return !isKept || writer.index() != node;
        }
    }

    /**
     * Appends publications to the centralized list. Layout: count u16, then per publication: page,
     * writer, kept flag.
     */
    public record ListPost(List<Listed> listed) implements OfNone {
        static final Codec<ListPost> CODEC =
                new Codec<>(
                        0xBC,
                        "list-post",
                        ListPost.class,
                        (m, out) -> out.list(m.listed(), Listed::write),
                        in -> new ListPost(in.list(Listed::read)));

        public ListPost {
            listed = List.copyOf(listed);
        }

        @Override
        public Codec<ListPost> codec() {
            return CODEC;
        }
    }

    /**
     * Reads the centralized list, or takes the sender's weak list in the pool of the receiver's
     * host. Layout: after i64.
     *
     * @param after position up to which the sender has read the centralized list; 0 for a pool
     */
    public record ListRequest(long after) implements OfNone {
        static final Codec<ListRequest> CODEC =
                new Codec<>(
                        0xBD,
                        "list-request",
                        ListRequest.class,
                        (m, out) -> out.i64(m.after()),
                        in -> new ListRequest(in.i64()));

        @Override
        public Codec<ListRequest> codec() {
            return CODEC;
        }
    }

    /**
     * A part of a list. Layout: last i64, complete flag, count u16, then per page: page.
     *
     * @param last position of the part's end in the centralized list; 0 for a pool
     * @param isComplete false if more follows: from a pool without a further request
     * @param pages with publications in this part; of the centralized list those of the receiver
     *     alone are omitted
     */
    public record ListReply(long last, boolean isComplete, List<PageId> pages) implements OfPages {
        static final Codec<ListReply> CODEC =
                new Codec<>(
                        0xBE,
                        "list-reply",
                        ListReply.class,
                        (m, out) -> {
                            out.i64(m.last());
                            out.flag(m.isComplete());
                            writePages(m.pages(), out);
                        },
                        in -> new ListReply(in.i64(), in.flag(), in.list(WireReader::page)));

        public ListReply {
            pages = List.copyOf(pages);
        }

        @Override
        public String tableEvent() {
            return ""; // the acquire acts on its pages
        }

        @Override
        public Optional<Protocol> addressee() {
            return Optional.of(Protocol.WEAK);
        }

        @Override
        public Codec<ListReply> codec() {
            return CODEC;
        }
    }

    /**
     * The first content of a frame, from the root. Layout: number i64, page, image payload.
     *
     * @param number as in {@link Publish}
     */
    public record Fill(long number, PageId page, Payload image)
            implements OfOne, ProtocolMessage.Flush {
        static final Codec<Fill> CODEC =
                new Codec<>(
                        0xBF,
                        "fill",
                        Fill.class,
                        (m, out) -> {
                            out.i64(m.number());
                            out.page(m.page());
                            out.payload(m.image());
                        },
                        in -> new Fill(in.i64(), in.page(), in.payload()));

        @Override
        public Codec<Fill> codec() {
            return CODEC;
        }
    }

    public static final List<Codec<?>> CODECS =
            List.of(
                    EnterRequest.CODEC,
                    EnterReply.CODEC,
                    ContentRequest.CODEC,
                    ContentReply.CODEC,
                    Publish.CODEC,
                    PublishAck.CODEC,
                    Notices.CODEC,
                    UnsafePages.CODEC,
                    NoticesAck.CODEC,
                    CheckRequest.CODEC,
                    CheckReply.CODEC,
                    Leave.CODEC,
                    ListPost.CODEC,
                    ListRequest.CODEC,
                    ListReply.CODEC,
                    Fill.CODEC);
}
