package io.muninn.coherence.writeshared;

import io.muninn.api.Protocol;
import io.muninn.coherence.shared.CopiesCodec;
import io.muninn.directory.AppliedDiffs;
import io.muninn.directory.DatedCopyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.List;
import java.util.Optional;

/** The messages of {@link WriteShared}, with their layouts. */
public final class WriteSharedMessages {
    private WriteSharedMessages() {}

    /** A message of the write-shared protocol. */
    public sealed interface Msg extends ProtocolMessage {}

    /** A message of runs that check for races. It concerns no page's state. */
    private sealed interface RaceMsg extends Msg {
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
            return Optional.of(Protocol.WRITE_SHARED);
        }
    }

    /**
     * Requests a copy; forwarded along probable owners to a holder. Layout: page, asker, ended u32.
     *
     * @param ended number of copies of the page that the requester has given up
     */
    public record FetchRequest(PageId page, NodeId asker, int ended)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.ForwardedRequest {
        static final Codec<FetchRequest> CODEC =
                new Codec<>(
                        0x40,
                        "fetch-request",
                        FetchRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                            out.u32(m.ended());
                        },
                        in -> new FetchRequest(in.page(), in.node(), in.u32()));

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<FetchRequest> codec() {
            return CODEC;
        }
    }

    /**
     * A page of an {@link AheadRequest}.
     *
     * @param ended number of copies of the page that the requester has given up
     */
    public record WantedPage(PageId page, int ended) {}

    /**
     * Requests copies before threads need them. A node forwards the pages that it does not hold,
     * those for one node together. Layout: asker, count u16, then per page: page, ended u32.
     */
    public record AheadRequest(NodeId asker, List<WantedPage> wanted)
            implements Msg, ProtocolMessage.ForwardedRequest {
        static final Codec<AheadRequest> CODEC =
                new Codec<>(
                        0x4D,
                        "ahead-request",
                        AheadRequest.class,
                        (m, out) -> {
                            out.node(m.asker());
                            out.list(
                                    m.wanted(),
                                    (wanted, to) -> {
                                        to.page(wanted.page());
                                        to.u32(wanted.ended());
                                    });
                        },
                        in ->
                                new AheadRequest(
                                        in.node(),
                                        in.list(from -> new WantedPage(from.page(), from.u32()))));

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
        public Codec<AheadRequest> codec() {
            return CODEC;
        }
    }

    /** A reply with copies. */
    public sealed interface PageReply extends Msg, ProtocolMessage.Reply {
        /** One reply per page. */
        List<FetchReply> replies();

        /** The reply for one of its pages. */
        default FetchReply of(PageId page) {
            for (FetchReply reply : replies()) {
                if (reply.page().equals(page)) {
                    return reply;
                }
            }
            throw new IllegalArgumentException("no copy of " + page + " is in " + this);
        }

        @Override
        default Payload imageOf(PageId page) {
            return of(page).image();
        }

        @Override
        default boolean givesOwnership(PageId page) {
            return of(page).handsOver();
        }

        @Override
        default String tableEvent() {
            return FetchReply.class.getSimpleName();
        }
    }

    /**
     * A reply with a copy. Layout: page, hands-over u8, copies, applied, image payload.
     *
     * @param handsOver the sender keeps no copy: the receiver owns the page and is its only holder
     * @param copies nodes that the sender believes to hold a copy, including itself unless it hands
     *     over
     * @param applied the diffs in the image
     */
    public record FetchReply(
            PageId page,
            boolean handsOver,
            DatedCopyset copies,
            AppliedDiffs applied,
            Payload image)
            implements PageReply, ProtocolMessage.OfOnePage {
        static final Codec<FetchReply> CODEC =
                new Codec<>(
                        0x41,
                        "fetch-reply",
                        FetchReply.class,
                        WriteSharedMessages::writeReply,
                        in -> readReply(in, new CopiesCodec()));

        @Override
        public List<FetchReply> replies() {
            return List.of(this);
        }

        @Override
        public Codec<FetchReply> codec() {
            return CODEC;
        }
    }

    /**
     * A reply with the copies that one message has requested. Layout: count u16, then per page the
     * layout of {@link FetchReply}.
     */
    public record AheadReply(List<FetchReply> replies) implements PageReply {
        static final Codec<AheadReply> CODEC =
                new Codec<>(
                        0x4E,
                        "ahead-reply",
                        AheadReply.class,
                        (m, out) -> out.list(m.replies(), WriteSharedMessages::writeReply),
                        WriteSharedMessages::readAheadReply);

        @Override
        public int pageCount() {
            return replies.size();
        }

        @Override
        public PageId page(int index) {
            return replies.get(index).page();
        }

        @Override
        public Codec<AheadReply> codec() {
            return CODEC;
        }
    }

    /**
     * The metadata of one page in an update, besides the diff.
     *
     * @param copies nodes that the sender believes to hold a copy, including itself
     * @param applied the diffs in the sender's copy, including this one; empty without an update
     *     timeout
     */
    public record Offer(PageId page, DatedCopyset copies, AppliedDiffs applied) {}

    /** One page's diff within an {@link Update}. */
    public record PageDiff(Offer offer, Payload diff) {}

    /**
     * The diffs of a flush for one holder, of several pages. Layout: interval i64, count u16, then
     * per page: page, copies, applied, diff payload.
     *
     * @param interval the flush, counted by the sender
     */
    public record Update(long interval, List<PageDiff> diffs) implements Msg {
        static final Codec<Update> CODEC =
                new Codec<>(
                        0x42,
                        "update",
                        Update.class,
                        (m, out) -> {
                            out.i64(m.interval());
                            out.list(
                                    m.diffs(),
                                    (diff, to) -> {
                                        writeOffer(diff.offer(), to);
                                        to.payload(diff.diff());
                                    });
                        },
                        WriteSharedMessages::readUpdate);

        @Override
        public int pageCount() {
            return diffs.size();
        }

        @Override
        public PageId page(int index) {
            return diffs.get(index).offer().page();
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<Update> codec() {
            return CODEC;
        }
    }

    /**
     * The part of an {@link UpdateAck} for one page.
     *
     * @param copies nodes that the sender believes to hold a copy; an acknowledger that is not
     *     among them has none and needs no more updates
     */
    public record PageCopies(PageId page, DatedCopyset copies) {}

    /**
     * Acknowledges diffs that are applied or not needed. Layout: interval i64, count u16, then per
     * page: page, copies.
     */
    public record UpdateAck(long interval, List<PageCopies> acks)
            implements Msg, ProtocolMessage.Acknowledgement {
        static final Codec<UpdateAck> CODEC =
                new Codec<>(
                        0x43,
                        "update-ack",
                        UpdateAck.class,
                        (m, out) -> {
                            out.i64(m.interval());
                            out.list(m.acks(), WriteSharedMessages::writePageCopies);
                        },
                        WriteSharedMessages::readUpdateAck);

        @Override
        public int pageCount() {
            return acks.size();
        }

        @Override
        public PageId page(int index) {
            return acks.get(index).page();
        }

        @Override
        public String tableEvent() {
            return ""; // belongs to an update
        }

        @Override
        public Codec<UpdateAck> codec() {
            return CODEC;
        }
    }

    /**
     * The list of pages that a flush has changed, sent to one holder in place of a long {@link
     * Update}. Layout: interval i64, count u16, then per page: page, copies, applied.
     */
    public record UpdateList(long interval, List<Offer> offers) implements Msg {
        static final Codec<UpdateList> CODEC =
                new Codec<>(
                        0x44,
                        "update-list",
                        UpdateList.class,
                        (m, out) -> {
                            out.i64(m.interval());
                            out.list(m.offers(), WriteSharedMessages::writeOffer);
                        },
                        WriteSharedMessages::readUpdateList);

        @Override
        public int pageCount() {
            return offers.size();
        }

        @Override
        public PageId page(int index) {
            return offers.get(index).page();
        }

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<UpdateList> codec() {
            return CODEC;
        }
    }

    /**
     * The origin of the {@link Update} that follows, in runs that check for races. Layout: interval
     * i64, known as in {@link VectorTimestamp}, point text.
     *
     * @param known timestamp that the sender had seen when it compared
     * @param point of synchronization that caused the flush, for messages
     */
    record UpdateOrigin(long interval, VectorTimestamp known, String point) implements RaceMsg {
        static final Codec<UpdateOrigin> CODEC =
                new Codec<>(
                        0x4A,
                        "update-origin",
                        UpdateOrigin.class,
                        (m, out) -> {
                            out.i64(m.interval());
                            m.known().encode(out);
                            out.text(m.point());
                        },
                        in -> new UpdateOrigin(in.i64(), VectorTimestamp.decode(in), in.text()));

        @Override
        public Codec<UpdateOrigin> codec() {
            return CODEC;
        }
    }

    /**
     * Requests the needed diffs of an {@link UpdateList}; an {@link Update} is the reply. Layout:
     * interval i64, count u16, then the pages.
     */
    public record UpdateRequest(long interval, List<PageId> pages) implements Msg {
        static final Codec<UpdateRequest> CODEC =
                new Codec<>(
                        0x45,
                        "update-request",
                        UpdateRequest.class,
                        (m, out) -> {
                            out.i64(m.interval());
                            out.list(m.pages(), (page, to) -> to.page(page));
                        },
                        in -> new UpdateRequest(in.i64(), in.list(WireReader::page)));

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
            return ""; // belongs to an update
        }

        @Override
        public Codec<UpdateRequest> codec() {
            return CODEC;
        }
    }

    /**
     * A granule of {@link Races}.
     *
     * @param granule its index in the page
     * @param here value that the sender has stored
     * @param arriving value in the received diff
     * @param point of synchronization, of the sender's store
     */
    record FoundRace(int granule, long here, long arriving, String point) {}

    /**
     * Reports races that the sender has found to the root. Layout: page, other u8, point text,
     * count u16, then per race: granule u32, here i64, arriving i64, point text.
     *
     * @param other writer of the diff that conflicts with the sender's stores
     * @param point of synchronization that sent the diff
     */
    record Races(PageId page, NodeId other, String point, List<FoundRace> found)
            implements RaceMsg {
        static final Codec<Races> CODEC =
                new Codec<>(
                        0x4C,
                        "races",
                        Races.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.other());
                            out.text(m.point());
                            out.list(
                                    m.found(),
                                    (race, to) -> {
                                        to.u32(race.granule());
                                        to.i64(race.here());
                                        to.i64(race.arriving());
                                        to.text(race.point());
                                    });
                        },
                        in ->
                                new Races(
                                        in.page(),
                                        in.node(),
                                        in.text(),
                                        in.list(from ->
                                                new FoundRace(
                                                        from.u32(),
                                                        from.i64(),
                                                        from.i64(),
                                                        from.text()))));

        @Override
        public Codec<Races> codec() {
            return CODEC;
        }
    }

    static final List<Codec<?>> CODECS =
            List.of(
                    FetchRequest.CODEC,
                    AheadRequest.CODEC,
                    FetchReply.CODEC,
                    AheadReply.CODEC,
                    Update.CODEC,
                    UpdateAck.CODEC,
                    UpdateList.CODEC,
                    UpdateRequest.CODEC,
                    UpdateOrigin.CODEC,
                    Races.CODEC);

    private static void writeReply(FetchReply reply, WireWriter out) {
        out.page(reply.page());
        out.flag(reply.handsOver());
        CopiesCodec.write(reply.copies(), out);
        CopiesCodec.write(reply.applied(), out);
        out.payload(reply.image());
    }

    private static AheadReply readAheadReply(WireReader in) {
        CopiesCodec known = new CopiesCodec();
        return new AheadReply(in.list(from -> readReply(from, known)));
    }

    private static FetchReply readReply(WireReader in, CopiesCodec known) {
        return new FetchReply(
                in.page(), in.flag(), known.copies(in), known.applied(in), in.payload());
    }

    private static void writeOffer(Offer offer, WireWriter out) {
        out.page(offer.page());
        CopiesCodec.write(offer.copies(), out);
        CopiesCodec.write(offer.applied(), out);
    }

    private static Offer readOffer(WireReader in, CopiesCodec known) {
        return new Offer(in.page(), known.copies(in), known.applied(in));
    }

    private static Update readUpdate(WireReader in) {
        CopiesCodec known = new CopiesCodec();
        return new Update(
                in.i64(), in.list(from -> new PageDiff(readOffer(from, known), from.payload())));
    }

    private static UpdateList readUpdateList(WireReader in) {
        CopiesCodec known = new CopiesCodec();
        return new UpdateList(in.i64(), in.list(from -> readOffer(from, known)));
    }

    private static void writePageCopies(PageCopies item, WireWriter out) {
        out.page(item.page());
        CopiesCodec.write(item.copies(), out);
    }

    private static UpdateAck readUpdateAck(WireReader in) {
        CopiesCodec known = new CopiesCodec();
        return new UpdateAck(
                in.i64(), in.list(from -> new PageCopies(from.page(), known.copies(from))));
    }
}
