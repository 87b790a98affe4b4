package io.muninn.api.single;

import io.muninn.api.Cluster;
import io.muninn.api.service.NodeSession;
import io.muninn.api.spi.DsmProvider;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.Layout;

/**
 * Provides the session of a process that was not started by an agent.
 *
 * @param threads application threads, at least 1
 */
public record SingleNodeProvider(int threads) implements DsmProvider {
    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public Cluster cluster() {
        return new Cluster(1, threads);
    }

    @Override
    public DsmSession attach(Layout declared) {
        return new NodeSession(new LocalLink(declared, threads));
    }
}
