package io.muninn.application;

import io.muninn.link.EventObjects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Shipped objects called and served through the agents. */
final class LiveObjects extends EventObjects {
    private final LiveLink link;

    LiveObjects(LiveLink link) {
        super(link.shape().node(), link::connection);
        this.link = link;
    }

    @Override
    public void startOwnThread(String name, Runnable body) {
        Thread.ofPlatform().name(name).daemon(true).start(body);
    }

    @Override
    public void bindOwnThread() {
        link.bindOwnThread();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> newFuture() {
        return new CompletableFuture<>();
    }
}
