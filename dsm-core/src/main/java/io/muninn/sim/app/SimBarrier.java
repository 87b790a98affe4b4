package io.muninn.sim.app;

import io.muninn.api.DsmBarrier;
import io.muninn.api.shipping.CallChain;
import io.muninn.model.BarrierId;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A barrier, by name.
 *
 * @param declared parties as the kernel counts them: 0 stands for all
 */
record SimBarrier(SimSession session, BarrierId id, int parties, int declared)
        implements DsmBarrier {
    @Override
    public String name() {
        return id.name();
    }

    @Override
    public void await() {
        CallChain.checkBarrier(name());
        try {
            session.current().barrier(id, declared, AppThread.FOR_EVER, true);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    @Override
    public void await(long time, TimeUnit unit) throws TimeoutException {
        CallChain.checkBarrier(name());
        session.current().barrier(id, declared, Math.max(0, unit.toNanos(time)), true);
    }
}
