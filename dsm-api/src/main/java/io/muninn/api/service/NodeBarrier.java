package io.muninn.api.service;

import io.muninn.api.DsmBarrier;
import io.muninn.api.shipping.CallChain;
import io.muninn.model.BarrierId;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A named barrier, for one application thread. */
record NodeBarrier(BarrierId id, int parties, BarrierLink link) implements DsmBarrier {
    private static final long FOR_EVER = -1;

    @Override
    public String name() {
        return id.name();
    }

    @Override
    public void await() {
        CallChain.checkBarrier(name());
        try {
            link.await(FOR_EVER);
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a wait without limit timed out", impossible);
        }
    }

    @Override
    public void await(long time, TimeUnit unit) throws TimeoutException {
        CallChain.checkBarrier(name());
        link.await(Math.max(0, unit.toNanos(time)));
    }
}
