package io.muninn.transport;

import io.muninn.wire.Codec;
import io.muninn.wire.Codecs;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.util.List;

/** The messages of the nodes of these tests. */
public sealed interface TestMessage extends WireMessage {
    Codecs CODECS = new Codecs(List.of(Numbered.CODEC, Text.CODEC));

    record Numbered(int number, Payload payload) implements TestMessage {
        static final Codec<Numbered> CODEC =
                new Codec<>(
                        1,
                        "numbered",
                        Numbered.class,
                        (m, out) -> {
                            out.u32(m.number);
                            out.payload(m.payload);
                        },
                        in -> new Numbered(in.u32(), in.payload()));

        @Override
        public Codec<Numbered> codec() {
            return CODEC;
        }
    }

    record Text(String text) implements TestMessage {
        static final Codec<Text> CODEC =
                new Codec<>(
                        255,
                        "text",
                        Text.class,
                        (m, out) -> out.text(m.text),
                        in -> new Text(in.text()));

        @Override
        public Codec<Text> codec() {
            return CODEC;
        }
    }

    /** A message no receiver knows. */
    record Foreign() implements TestMessage {
        static final Codec<Foreign> CODEC =
                new Codec<>(99, "foreign", Foreign.class, (m, out) -> {}, in -> new Foreign());

        @Override
        public Codec<Foreign> codec() {
            return CODEC;
        }
    }
}
