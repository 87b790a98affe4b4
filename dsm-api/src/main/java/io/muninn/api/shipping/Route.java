package io.muninn.api.shipping;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Transfers the calls of one process; created by a session.
 *
 * <p><b>Errors.</b> Methods that wait throw {@link io.muninn.api.NodeLostException} when a node is
 * lost and {@link io.muninn.api.DsmException} when the run has failed or the serving node refuses.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface Route {
    /** The locks that the calling thread holds. */
    List<String> heldLocks();

    /**
     * Declares an object to this process. Called once per object, before any call of it; does not
     * wait.
     *
     * @param served the object, used only if this node serves it
     */
    void declare(Declaration object, ServedObject served);

    /**
     * True if the calling thread may run a call itself: this node serves the object, and no posted
     * call would be overtaken.
     */
    boolean isDirect(Declaration object);

    /** Waits until no other call of the object runs. The object must allow direct calls. */
    void takeTurn(Declaration object);

    /** Ends the calling thread's turn. */
    void endTurn(Declaration object);

    /**
     * Sends a call to the object's server and waits for the reply.
     *
     * @param request for {@link ServedObject#serve}
     * @return the result of {@link ServedObject#serve}
     */
    byte[] call(Declaration object, byte[] request);

    /**
     * Calls an object of any node, including this one, without waiting for the reply. All calls
     * that one thread makes to one object run in program order, posted or not.
     */
    void post(Declaration object, byte[] request, PostedCall call);

    /** Creates the future of a posted call. */
    @SuppressWarnings("exports") // users of this class do not need the annotations
    <T extends @Nullable Object> CompletableFuture<T> newFuture();
}
