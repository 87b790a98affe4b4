package io.muninn.transport.stream;

import io.muninn.ForeignBytes;
import io.muninn.wire.Codec;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.WireMessage;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Valid messages of any kind, with any fields. */
public final class AnyControl {
    /** The codecs of every kind of control frame. */
    static final List<Codec<?>> CODECS = codecs();

    private static final int TRIES_MAX = 1_000;

    private AnyControl() {}

    private static List<Codec<?>> codecs() {
        List<Codec<?>> codecs = new ArrayList<>();
        for (Class<?> kind : Control.class.getPermittedSubclasses()) {
            try {
                Field codec = kind.getDeclaredField("CODEC");
                codecs.add((Codec<?>) codec.get(null));
            } catch (ReflectiveOperationException missing) {
                throw new AssertionError(kind + " has no codec", missing);
            }
        }
        return codecs;
    }

    /** A control frame. */
    public static Control next(int nodes, SplittableRandom random) {
        return (Control) message(CODECS.get(random.nextInt(CODECS.size())), nodes, random);
    }

    static WireMessage message(Codec<?> codec, int nodes, SplittableRandom random) {
        List<RuntimeException> refusals = new ArrayList<>();
        while (refusals.size() < TRIES_MAX) {
            try {
                return codec.decoder()
                        .apply(new ForeignBytes.AnyFields(random, nodes, Control.MAGIC));
            } catch (MalformedMessageException | IllegalArgumentException refused) {
                refusals.add(refused); // unused fields
            }
        }
        throw new AssertionError("no " + codec.name() + " was made", refusals.getLast());
    }
}
