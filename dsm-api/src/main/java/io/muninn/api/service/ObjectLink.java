package io.muninn.api.service;

import io.muninn.api.shipping.Declaration;
import io.muninn.model.ObjectId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The requests of shipped objects to the kernel, for the calling thread.
 *
 * <p><b>Errors.</b> As for {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface ObjectLink {
    /**
     * The reply to a call.
     *
     * @param refusal if present, the declaration that the serving node has for that name; the body
     *     is then empty
     * @param body the bytes that the serving node returned
     */
    record Reply(Optional<String> refusal, byte[] body) {
        public static Reply of(byte[] body) {
            return new Reply(Optional.empty(), body);
        }

        public static Reply refused(String reason) {
            return new Reply(Optional.of(reason), new byte[0]);
        }
    }

    /**
     * The reply to a posted call.
     *
     * @param number as passed to {@link #post}
     */
    record Completion(long number, Reply reply) {}

    /**
     * Declares an object of this or another node. Called once per object.
     *
     * @param startServer run once, if this node serves the object, before its first call is served
     */
    void declare(Declaration object, Runnable startServer);

    /** Starts a thread that is not an application thread of the program. */
    void startOwnThread(String name, Runnable body);

    /** Registers the calling thread, started by {@link #startOwnThread}, with the kernel. */
    default void bindOwnThread() {}

    /** Sends a call to the object's server and waits for the reply. */
    Reply ship(Declaration object, byte[] request);

    /**
     * Sends a call without waiting for the reply, which {@link #awaitCompletion} returns. Waits
     * while too many posted calls have no reply.
     */
    void post(long number, Declaration object, byte[] request);

    /** Waits for the reply to a posted call. Called by one thread only. */
    Completion awaitCompletion();

    /**
     * Waits for a call of an object that this node serves. Called by the object's server.
     *
     * @param reply to the previous call; empty the first time
     * @return the request
     */
    byte[] serve(ObjectId object, Optional<byte[]> reply);

    /** Creates the future of a posted call. */
    @SuppressWarnings("exports") // users of this class do not need the annotations
    <T extends @Nullable Object> CompletableFuture<T> newFuture();
}
