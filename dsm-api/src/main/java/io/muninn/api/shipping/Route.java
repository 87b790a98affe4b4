package io.muninn.api.shipping;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * How the calls of one process travel; made by a session.
 *
 * <p><b>Errors.</b> What waits throws {@link io.muninn.api.NodeLostException} when a node is lost
 * and {@link io.muninn.api.DsmException} when the run has failed or the serving node refuses.
 *
 * <p><b>Threads.</b> Any application thread.
 */
public interface Route {
    /** The locks that the calling thread holds. */
    List<String> heldLocks();

    /**
     * This process knows an object from now on. Comes once for each, before any call of it; does
     * not wait.
     *
     * @param served what to run on this node; called on other nodes, too, and ignored there
     */
    void declare(Declaration object, ServedObject served);

    /**
     * Whether the calling thread may run a call itself: of an object that this node serves, if no
     * call that was posted before could be overtaken.
     */
    boolean isDirect(Declaration object);

    /** Waits until no other call of the object runs: one that may be called directly. */
    void takeTurn(Declaration object);

    /** The calling thread's turn is over. */
    void endTurn(Declaration object);

    /**
     * Calls an object by its node's thread for it and waits.
     *
     * @param request for {@link ServedObject#serve}
     * @return what that has returned
     */
    byte[] call(Declaration object, byte[] request);

    /**
     * Calls an object of any node, this one included, and does not wait for the reply. Calls by one
     * thread of one object run in the order made, these and the others.
     */
    void post(Declaration object, byte[] request, PostedCall call);

    /** The future of a posted call. */
    <T> CompletableFuture<T> newFuture();
}
