package io.muninn.api.service;

import io.muninn.api.DsmException;
import io.muninn.api.shipping.Declaration;
import io.muninn.api.shipping.PostedCall;
import io.muninn.api.shipping.Route;
import io.muninn.api.shipping.ServedObject;
import io.muninn.model.ObjectId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The shipped objects that one node calls and serves. Each object that the node serves has a
 * thread, its server. One more thread completes the posted calls of the node.
 *
 * <p><b>Threads.</b> Any application thread.
 */
final class NodeObjects implements Route {
    /** A posted call; a later direct call cannot overtake it. */
    private final class Posted implements NodeReplies.Pending {
        private final Declaration object;
        private final PostedCall call;

        Posted(Declaration object, PostedCall call) {
            this.object = object;
            this.call = call;
            outstanding(object).getAndIncrement();
        }

        @Override
        public void replied(ObjectLink.Reply reply) {
            outstanding(object).getAndDecrement();
            if (reply.refusal().isPresent()) {
                call.failed(object.differs(node, reply.refusal().get()));
            } else {
                call.replied(reply.body());
            }
        }

        @Override
        public void failed(DsmException cause) {
            outstanding(object).getAndDecrement();
            call.failed(cause);
        }
    }

    private final int node;
    private final ObjectLink link;
    private final NodeLocks locks;
    private final BooleanSupplier isRunning;
    private final NodeReplies replies;
    private final NodeRemotes remotes;
    private final Map<ObjectId, AtomicInteger> outstanding = new ConcurrentHashMap<>();

    /**
     * @param locks the node's locks, which include the turns of the objects that it serves
     * @param replies completes posted calls
     * @param remotes the remote variables, whose operations a call releases
     * @param isRunning true once initialization is over
     */
    NodeObjects(
            int node,
            ObjectLink link,
            NodeLocks locks,
            NodeReplies replies,
            NodeRemotes remotes,
            BooleanSupplier isRunning) {
        this.node = node;
        this.link = link;
        this.locks = locks;
        this.replies = replies;
        this.remotes = remotes;
        this.isRunning = isRunning;
    }

    @Override
    public List<String> heldLocks() {
        return locks.held();
    }

    @Override
    public void declare(Declaration object, ServedObject served) {
        link.declare(
                object,
                () ->
                        link.startOwnThread(
                                "muninn-object-" + object.object(), () -> serve(object, served)));
    }

    /** Runs calls, one at a time, until the run is over. */
    private void serve(Declaration object, ServedObject served) {
        try {
            link.bindOwnThread();
            byte[] request = link.serve(object.object(), Optional.empty());
            while (true) {
                takeTurn(object);
                byte[] reply;
                try {
                    reply = served.serve(request);
                } finally {
                    endTurn(object);
                }
                request = link.serve(object.object(), Optional.of(reply));
            }
        } catch (DsmException over) {
            // a node is lost or the run is over: there are no more calls, and every caller gets an
            // exception
        }
    }

    @Override
    public boolean isDirect(Declaration object) {
        return object.node() == node && outstanding(object).get() == 0;
    }

    /** Number of posted calls of the object that are not completed. */
    private AtomicInteger outstanding(Declaration object) {
        return outstanding.computeIfAbsent(object.object(), _ -> new AtomicInteger());
    }

    @Override
    public void takeTurn(Declaration object) {
        locks.lock(object.object().turn().name()).lock();
    }

    @Override
    public void endTurn(Declaration object) {
        locks.lock(object.object().turn().name()).unlock();
    }

    @Override
    public byte[] call(Declaration object, byte[] request) {
        checkRunning(object);
        remotes.beforeRelease();
        ObjectLink.Reply reply = link.ship(object, request);
        if (reply.refusal().isPresent()) {
            throw object.differs(node, reply.refusal().get());
        }
        return reply.body();
    }

    @Override
    public void post(Declaration object, byte[] request, PostedCall call) {
        checkRunning(object);
        remotes.beforeRelease();
        replies.begin(new Posted(object, call), number -> link.post(number, object, request));
    }

    private void checkRunning(Declaration object) {
        if (!isRunning.getAsBoolean() && object.node() != node) {
            throw object.tooEarly();
        }
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<T> newFuture() {
        return link.newFuture();
    }
}
