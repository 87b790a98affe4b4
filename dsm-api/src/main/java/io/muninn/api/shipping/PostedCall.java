package io.muninn.api.shipping;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call whose caller went on: completes its future.
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

    /** The reply is here. */
    public void replied(byte[] reply) {
        try {
            future.complete(replies.read(reply));
        } catch (Throwable thrown) {
            future.completeExceptionally(thrown);
        }
    }

    /** There will be none. */
    public void failed(Throwable cause) {
        future.completeExceptionally(cause);
    }
}
