package io.muninn.api.service;

import io.muninn.api.shipping.Declaration;
import io.muninn.model.ObjectId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What shipped objects ask of the kernel, for the calling thread.
 *
 * <p><b>Errors.</b> As of {@link LockWord}.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface ObjectLink {
    /**
     * The answer to a call.
     *
     * @param refusal what the serving node means by that name instead; then there is no body
     * @param body what the object's node returned
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
     * @param number which {@link #post} was given
     */
    record Completion(long number, Reply reply) {}

    /**
     * Declares an object of this or another node. Called once for each.
     *
     * @param startServer to run once if this node serves the object, before a call is served
     */
    void declare(Declaration object, Runnable startServer);

    /** Starts a thread that belongs to no program. */
    void startOwnThread(String name, Runnable body);

    /** Makes the calling thread, which {@link #startOwnThread} has started, known to the kernel. */
    default void bindOwnThread() {}

    /** Calls an object by its node's server and waits for the reply. */
    Reply ship(Declaration object, byte[] request);

    /**
     * The same without waiting for the reply: {@link #awaitCompletion} returns it. Waits while too
     * many posted calls have none.
     */
    void post(long number, Declaration object, byte[] request);

    /** Waits for the reply to a posted call. Called by one thread. */
    Completion awaitCompletion();

    /**
     * Waits for a call of an object that this node serves. Called by the object's server.
     *
     * @param reply to the call before; empty the first time
     * @return the request
     */
    byte[] serve(ObjectId object, Optional<byte[]> reply);

    /** The future of a posted call. */
    <T> CompletableFuture<T> newFuture();
}
