package io.muninn.sync;

import io.muninn.spi.CoherenceProtocol;
import io.muninn.spi.Effects;
import io.muninn.spi.VectorTimestamp;

/** The lazy data that the protocols of a node keep for other nodes until a collection. */
public interface LazyData {
    /** Number of protocols that take part in a collection; at least one. */
    int parts();

    /** Each protocol performs {@link CoherenceProtocol#onCollect}, then the interval ends. */
    void onCollect(long number, VectorTimestamp upTo, Effects out);

    /** Each protocol performs {@link CoherenceProtocol#onCollected}. */
    void onCollected(VectorTimestamp upTo, Effects out);
}
