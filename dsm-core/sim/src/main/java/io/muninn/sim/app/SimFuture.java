package io.muninn.sim.app;

import io.muninn.link.EventLink;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The future of a posted call: a wait for it, or for a future derived from it, takes virtual time.
 */
final class SimFuture<T> extends CompletableFuture<T> {
    private final SimLink link;

    SimFuture(SimLink link) {
        this.link = link;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new SimFuture<>(link);
    }

    @Override
    public T join() {
        await(EventLink.FOR_EVER);
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        await(EventLink.FOR_EVER);
        return super.get();
    }

    @Override
    public T get(long time, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!await(Math.max(0, unit.toNanos(time)))) {
            throw new TimeoutException();
        }
        return super.get();
    }

    private boolean await(long limitNanos) {
        return isDone() || link.current().awaitDone(this, limitNanos);
    }
}
