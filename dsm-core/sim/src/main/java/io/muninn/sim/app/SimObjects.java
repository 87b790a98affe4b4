package io.muninn.sim.app;

import io.muninn.link.EventObjects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Shipped objects of the program, called through the simulated kernels. */
final class SimObjects extends EventObjects {
    private final SimLink link;

    SimObjects(SimLink link) {
        super(link.shape().node(), link::current);
        this.link = link;
    }

    @Override
    public void startOwnThread(String name, Runnable body) {
        link.startOwn(body);
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> newFuture() {
        return new SimFuture<>(link);
    }
}
