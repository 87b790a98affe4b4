package io.muninn.client;

import io.muninn.api.DsmBarrier;
import io.muninn.api.shipping.CallChain;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A barrier, by name.
 *
 * @param declared parties as the agent counts them: 0 stands for all
 */
record LiveBarrier(LiveSession session, String name, int parties, int declared)
        implements DsmBarrier {
    @Override
    public void await() {
        start(-1).call();
    }

    @Override
    public void await(long time, TimeUnit unit) throws TimeoutException {
        start(Math.max(0, unit.toNanos(time))).callTimed();
    }

    private AgentConnection start(long limitNanos) {
        CallChain.checkBarrier(name);
        AgentConnection connection = session.connection();
        connection.start(Call.BARRIER).text(name).u32(declared).i64(limitNanos);
        return connection;
    }
}
