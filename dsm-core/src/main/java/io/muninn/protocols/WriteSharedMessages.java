package io.muninn.protocols;

import io.muninn.directory.Copyset;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.protocol.ProtocolMessage;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import io.muninn.wire.WireReader;
import io.muninn.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The messages of {@link WriteShared}, with their layouts. */
public final class WriteSharedMessages {
    private WriteSharedMessages() {}

    /** A message of the write-shared protocol. */
    public sealed interface Msg extends ProtocolMessage {}

    /** Asks for a copy; forwarded along probable owners to a holder. Layout: page, asker u8. */
    public record FetchRequest(PageId page, NodeId asker) implements Msg {
        static final Codec<FetchRequest> CODEC =
                new Codec<>(
                        0x40,
                        "fetch-request",
                        FetchRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.node(m.asker());
                        },
                        in -> new FetchRequest(in.page(), in.node()));

        @Override
        public List<PageId> pages() {
            return List.of(page);
        }

        @Override
        public Codec<FetchRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Gives a copy. Layout: page, hands-over u8, copyset i64, image payload.
     *
     * @param handsOver the sender keeps no copy: the receiver owns the page and holds it alone
     * @param copyset nodes that the sender believes to hold a copy, with itself unless it hands
     *     over
     */
    public record FetchReply(PageId page, boolean handsOver, Copyset copyset, Payload image)
            implements Msg {
        static final Codec<FetchReply> CODEC =
                new Codec<>(
                        0x41,
                        "fetch-reply",
                        FetchReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.flag(m.handsOver());
                            out.i64(m.copyset().bits());
                            out.payload(m.image());
                        },
                        in ->
                                new FetchReply(
                                        in.page(), in.flag(), new Copyset(in.i64()), in.payload()));

        @Override
        public List<PageId> pages() {
            return List.of(page);
        }

        @Override
        public Codec<FetchReply> codec() {
            return CODEC;
        }
    }

    /** One page's diff within an {@link Update}. */
    record PageDiff(PageId page, Payload diff) {}

    /**
     * What a flush sends to one holder: diffs of several pages. Layout: interval i64, count u16,
     * then per page: page, diff payload.
     *
     * @param interval the flush, counted by the sender
     */
    record Update(long interval, List<PageDiff> diffs) implements Msg {
        static final Codec<Update> CODEC =
                new Codec<>(
                        0x42,
                        "update",
                        Update.class,
                        (m, out) -> {
                            out.i64(m.interval());
                            writeList(
                                    out,
                                    m.diffs(),
                                    (diff, to) -> {
                                        to.page(diff.page());
                                        to.payload(diff.diff());
                                    });
                        },
                        in ->
                                new Update(
                                        in.i64(),
                                        readList(
                                                in,
                                                from ->
                                                        new PageDiff(
                                                                from.page(), from.payload()))));

        @Override
        public List<PageId> pages() {
            return diffs.stream().map(PageDiff::page).toList();
        }

        @Override
        public PageId firstPage() {
            return diffs.getFirst().page();
        }

        @Override
        public Codec<Update> codec() {
            return CODEC;
        }
    }

    /**
     * One page's part of an {@link UpdateAck}.
     *
     * @param copyset nodes that the acknowledger believes to hold a copy
     * @param holds false when the acknowledger has no copy and wants no more updates
     */
    public record PageAck(PageId page, Copyset copyset, boolean holds) {}

    /**
     * Diffs are applied, or not wanted. Layout: interval i64, count u16, then per page: page,
     * copyset i64, holds u8.
     */
    public record UpdateAck(long interval, List<PageAck> acks) implements Msg {
        static final Codec<UpdateAck> CODEC =
                new Codec<>(
                        0x43,
                        "update-ack",
                        UpdateAck.class,
                        (m, out) -> {
                            out.i64(m.interval());
                            writeList(
                                    out,
                                    m.acks(),
                                    (ack, to) -> {
                                        to.page(ack.page());
                                        to.i64(ack.copyset().bits());
                                        to.flag(ack.holds());
                                    });
                        },
                        in ->
                                new UpdateAck(
                                        in.i64(),
                                        readList(
                                                in,
                                                from ->
                                                        new PageAck(
                                                                from.page(),
                                                                new Copyset(from.i64()),
                                                                from.flag()))));

        @Override
        public List<PageId> pages() {
            return acks.stream().map(PageAck::page).toList();
        }

        @Override
        public PageId firstPage() {
            return acks.getFirst().page();
        }

        @Override
        public Codec<UpdateAck> codec() {
            return CODEC;
        }
    }

    static final List<Codec<?>> CODECS =
            List.of(FetchRequest.CODEC, FetchReply.CODEC, Update.CODEC, UpdateAck.CODEC);

    private static <T> void writeList(
            WireWriter out, List<T> items, BiConsumer<T, WireWriter> write) {
        out.u16(items.size());
        for (T item : items) {
            write.accept(item, out);
        }
    }

    private static <T> List<T> readList(WireReader in, Function<WireReader, T> read) {
        int count = in.u16();
        List<T> items = new ArrayList<>(Math.min(count, in.remaining()));
        for (int i = 0; i < count; i++) {
            items.add(read.apply(in));
        }
        return List.copyOf(items);
    }
}
