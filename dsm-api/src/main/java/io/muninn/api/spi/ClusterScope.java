package io.muninn.api.spi;

import io.muninn.api.Cluster;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The cluster of the calling thread where one process has several: a simulator sets it while it
 * constructs programs and runs their threads. Elsewhere the provider knows the cluster.
 */
public final class ClusterScope {
    private static final ScopedValue<Cluster> CURRENT = ScopedValue.newInstance();

    private ClusterScope() {}

    /** Returns what {@code call} returns; {@code cluster} is current meanwhile. */
    public static <T> T during(Cluster cluster, Supplier<T> call) {
        return ScopedValue.where(CURRENT, cluster).call(call::get);
    }

    /** The cluster that has been set for the calling thread. */
    public static Optional<Cluster> current() {
        return CURRENT.isBound() ? Optional.of(CURRENT.get()) : Optional.empty();
    }
}
