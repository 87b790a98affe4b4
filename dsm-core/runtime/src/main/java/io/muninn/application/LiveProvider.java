package io.muninn.application;

import io.muninn.api.Cluster;
import io.muninn.api.service.NodeSession;
import io.muninn.api.spi.DsmProvider;
import io.muninn.api.spi.DsmSession;
import io.muninn.api.spi.Layout;

/** Attaches a process that an agent has started; a service provider of {@link DsmProvider}. */
public final class LiveProvider implements DsmProvider {
    @Override
    public boolean isAvailable() {
        return AgentAddress.ofThisProcess().isPresent();
    }

    @Override
    public Cluster cluster() {
        return agent().cluster();
    }

    @Override
    public DsmSession attach(Layout declared) {
        return new NodeSession(LiveLink.attach(agent(), declared));
    }

    private static AgentAddress agent() {
        return AgentAddress.ofThisProcess()
                .orElseThrow(() -> new IllegalStateException("no agent has started this process"));
    }
}
