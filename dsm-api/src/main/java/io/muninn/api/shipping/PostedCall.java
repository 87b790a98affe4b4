package io.muninn.api.shipping;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call whose caller did not wait; completes its future.
 *
 * <p><b>Threads.</b> Any; one call of one method.
 */
public final class PostedCall {
    private final CompletableFuture<@Nullable Object> future;
    private final ReplyReader replies;

    PostedCall(CompletableFuture<@Nullable Object> future, ReplyReader replies) {
        this.future = future;
        this.replies = replies;
    }

    /** Completes the future with a reply. */
    public void replied(byte[] reply) {
        try {
            future.complete(replies.read(reply));
        } catch (Throwable thrown) {
            future.completeExceptionally(thrown);
        }
    }

    /** Completes the future exceptionally: there will be no reply. */
    public void failed(Throwable cause) {
        future.completeExceptionally(cause);
    }
}
