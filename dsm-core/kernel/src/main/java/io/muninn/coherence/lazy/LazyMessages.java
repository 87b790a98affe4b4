package io.muninn.coherence.lazy;

import io.muninn.coherence.shared.CopiesCodec;
import io.muninn.directory.AppliedDiffs;
import io.muninn.model.PageId;
import io.muninn.spi.ProtocolMessage;
import io.muninn.spi.VectorTimestamp;
import io.muninn.wire.Codec;
import io.muninn.wire.Payload;
import java.util.List;

/** The messages of {@link Lazy}, with their layouts. */
public final class LazyMessages {
    private LazyMessages() {}

    /** A message of the lazy protocol. */
    public sealed interface Msg extends ProtocolMessage {}

    /** Asks the root for a first copy of a page. Layout: page. */
    public record ImageRequest(PageId page)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.Request {
        static final Codec<ImageRequest> CODEC =
                new Codec<>(
                        0x90,
                        "image-request",
                        ImageRequest.class,
                        (m, out) -> out.page(m.page()),
                        in -> new ImageRequest(in.page()));

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
     * Gives a first copy of a page. Layout: page, applied, image payload.
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

    /**
     * Asks a writer of a page for its diffs. Layout: page, after varint, upTo varint.
     *
     * @param after the asker has the diffs up to this interval of the receiver
     * @param upTo the last interval of the receiver whose diff it needs
     */
    public record DiffRequest(PageId page, long after, long upTo)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.Request {
        static final Codec<DiffRequest> CODEC =
                new Codec<>(
                        0x92,
                        "diff-request",
                        DiffRequest.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.varint(m.after());
                            out.varint(m.upTo());
                        },
                        in ->
                                new DiffRequest(
                                        in.page(),
                                        in.varint(Long.MAX_VALUE),
                                        in.varint(Long.MAX_VALUE)));

        @Override
        public Codec<DiffRequest> codec() {
            return CODEC;
        }
    }

    /**
     * What an interval of the sender has changed in a page.
     *
     * @param timestamp of the interval
     */
    public record IntervalDiff(VectorTimestamp timestamp, Payload diff) {}

    /**
     * Gives diffs of the sender in order of interval; empty ones are left out. Layout: page,
     * through varint, count u16, then per diff: timestamp, diff payload.
     *
     * @param through the last interval that it answers for; what follows has to be asked for again
     */
    public record DiffReply(PageId page, long through, List<IntervalDiff> diffs)
            implements Msg, ProtocolMessage.OfOnePage, ProtocolMessage.StoresReply {
        static final Codec<DiffReply> CODEC =
                new Codec<>(
                        0x93,
                        "diff-reply",
                        DiffReply.class,
                        (m, out) -> {
                            out.page(m.page());
                            out.varint(m.through());
                            out.list(
                                    m.diffs(),
                                    (each, to) -> {
                                        each.timestamp().encode(to);
                                        to.payload(each.diff());
                                    });
                        },
                        in ->
                                new DiffReply(
                                        in.page(),
                                        in.varint(Long.MAX_VALUE),
                                        in.list(from ->
                                                new IntervalDiff(
                                                        VectorTimestamp.decode(from),
                                                        from.payload()))));

        @Override
        public boolean touchesPages() {
            return true;
        }

        @Override
        public Codec<DiffReply> codec() {
            return CODEC;
        }
    }

    public static final List<Codec<?>> CODECS =
            List.of(ImageRequest.CODEC, ImageReply.CODEC, DiffRequest.CODEC, DiffReply.CODEC);
}
