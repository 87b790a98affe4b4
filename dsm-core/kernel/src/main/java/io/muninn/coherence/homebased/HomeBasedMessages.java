package io.muninn.coherence.homebased;

import io.muninn.api.Protocol;
import io.muninn.coherence.shared.CopiesCodec;
import io.muninn.directory.AppliedDiffs;
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
     * Asks the home for a page. Layout: page, need.
     *
     * @param need what the image must contain: for each node all flushes up to an interval
     */
    public record VersionRequest(PageId page, AppliedDiffs need)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.Request {
        static final Codec<VersionRequest> CODEC =
                new Codec<>(
                        0x80,
                        "version-request",
                        VersionRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            CopiesCodec.write(m.need(), out);
                        },
                        in -> new VersionRequest(in.page(), versions(in)));

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<VersionRequest> codec() {
            return CODEC;
        }
    }

    /**
     * Gives a copy of a page. Layout: page, version, image payload.
     *
     * @param version what the image contains: for each node all flushes up to an interval, for the
     *     home all stores up to one
     */
    public record VersionReply(PageId page, AppliedDiffs version, Payload image)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.Reply {
        static final Codec<VersionReply> CODEC =
                new Codec<>(
                        0x81,
                        "version-reply",
                        VersionReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            CopiesCodec.write(m.version(), out);
                            out.payload(m.image());
                        },
                        in -> new VersionReply(in.page(), versions(in), in.payload()));

        @Override
        public Payload imageOf(PageId of) {
            return image;
        }

        @Override
        public Codec<VersionReply> codec() {
            return CODEC;
        }
    }

    /** Asks the root for what it has initialized, on behalf of the page's home. Layout: page. */
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

    /** Gives a home the first content of its page. Layout: page, image payload. */
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
     * What an interval of the sender has changed in pages of the receiver. Layout: interval varint,
     * acknowledge flag, count u16, then per page: page, diff payload.
     *
     * @param acknowledge the sender waits for a {@link FlushAck}
     */
    public record HomeFlush(long interval, boolean acknowledge, List<FlushedPage> flushed)
            implements Msg, ProtocolMessage.Flush {
        static final Codec<HomeFlush> CODEC =
                new Codec<>(
                        0x84,
                        "home-flush",
                        HomeFlush.class,
                        (m, out) -> {
                            out.varint(m.interval());
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
                                        in.varint(Long.MAX_VALUE),
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

    /** The flushes that the receiver has sent so far are applied. No fields. */
    public record FlushAck() implements Msg, ProtocolMessage.Acknowledgement {
        static final Codec<FlushAck> CODEC =
                new Codec<>(
                        0x85, "flush-ack", FlushAck.class, (_, _) -> {}, _ -> new FlushAck());

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

    public static final List<Codec<?>> CODECS =
            List.of(
                    VersionRequest.CODEC,
                    VersionReply.CODEC,
                    BaseRequest.CODEC,
                    BaseReply.CODEC,
                    HomeFlush.CODEC,
                    FlushAck.CODEC);

    private static AppliedDiffs versions(WireReader in) {
        return new CopiesCodec().applied(in);
    }
}
