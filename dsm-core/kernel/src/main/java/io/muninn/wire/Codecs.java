package io.muninn.wire;

import java.util.List;

/** All codecs of one kind of connection, found by code. */
public final class Codecs {
    private final Codec<?>[] byCode = new Codec<?>[Codec.CODES];

    /**
     * @throws IllegalArgumentException if two codecs share a code
     */
    public Codecs(List<? extends Codec<?>> codecs) {
        for (Codec<?> codec : codecs) {
            if (byCode[codec.code()] != null) {
                throw new IllegalArgumentException(
                        "codecs "
                                + codec.name()
                                + " and "
                                + byCode[codec.code()].name()
                                + " share code "
                                + codec.code());
            }
            byCode[codec.code()] = codec;
        }
    }

    /**
     * Reads one message: its code, then its fields, to the end of the reader.
     *
     * @throws MalformedMessageException if the code is unknown, a value is out of range, or bytes
     *     are missing or left over
     */
    public WireMessage decode(WireReader in) {
        int code = in.u8();
        Codec<?> codec = byCode[code];
        if (codec == null) {
            throw new MalformedMessageException("no message has code " + code);
        }
        WireMessage message = read(codec, in);
        if (in.remaining() != 0) {
            throw new MalformedMessageException(
                    codec.name() + " has " + in.remaining() + " bytes too many");
        }
        return message;
    }

    /** Values that the record's constructor refuses are also malformed. */
    private static WireMessage read(Codec<?> codec, WireReader in) {
        try {
            return codec.decoder().apply(in);
        } catch (IllegalArgumentException refused) {
            throw new MalformedMessageException(codec.name() + ": " + refused.getMessage());
        }
    }

    /** Writes one message: its code, then its fields. */
    public static void encode(WireMessage message, WireWriter out) {
        Codec<?> codec = message.codec();
        out.u8(codec.code());
        codec.encode(message, out);
    }
}
