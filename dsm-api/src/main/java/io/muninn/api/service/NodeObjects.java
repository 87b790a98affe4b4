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
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The shipped objects that one node calls and serves. Each object that the node serves has a
 * thread, its server. One more thread completes the posted calls of the node.
 *
 * <p><b>Threads.</b> Any application thread.
 */
final class NodeObjects implements Route {
    private record Posted(Declaration object, PostedCall call) {}

    private final int node;
    private final ObjectLink link;
    private final NodeLocks locks;
    private final BooleanSupplier isRunning;
    private final AtomicLong posts = new AtomicLong();
    private final Map<ObjectId, AtomicInteger> outstanding = new ConcurrentHashMap<>();
    private final Map<Long, Posted> posted =
            new ConcurrentSkipListMap<>(); // by number, until completed
    private final AtomicBoolean hasCompleter = new AtomicBoolean();
    private volatile @Nullable DsmException ended; // null while calls are completed

    /**
     * @param locks the node's locks, which include the turns of the objects that it serves
     * @param isRunning true once initialization is over
     */
    NodeObjects(int node, ObjectLink link, NodeLocks locks, BooleanSupplier isRunning) {
        this.node = node;
        this.link = link;
        this.locks = locks;
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
        ObjectLink.Reply reply = link.ship(object, request);
        if (reply.refusal().isPresent()) {
            throw object.differs(node, reply.refusal().get());
        }
        return reply.body();
    }

    @Override
    public void post(Declaration object, byte[] request, PostedCall call) {
        checkRunning(object);
        if (hasCompleter.compareAndSet(false, true)) {
            link.startOwnThread("muninn-replies", this::complete);
        }
        long number = posts.getAndIncrement();
        outstanding(object).getAndIncrement();
        posted.put(number, new Posted(object, call));
        try {
            link.post(number, object, request);
            DsmException over = ended;
            if (over != null) {
                throw over; // the completing thread may have checked before this call was added
            }
        } catch (DsmException failed) {
            takePosted(number).ifPresent(left -> left.call().failed(failed));
        }
    }

    private void checkRunning(Declaration object) {
        if (!isRunning.getAsBoolean() && object.node() != node) {
            throw object.tooEarly();
        }
    }

    @Override
    public <T> CompletableFuture<T> newFuture() {
        return link.newFuture();
    }

    /** Completes posted calls until the run is over. */
    private void complete() {
        try {
            link.bindOwnThread();
            while (true) {
                complete(link.awaitCompletion());
            }
        } catch (DsmException over) {
            ended = over;
            for (Long number : posted.keySet()) {
                takePosted(number).ifPresent(left -> left.call().failed(over));
            }
        }
    }

    private void complete(ObjectLink.Completion completion) {
        Posted done = takePosted(completion.number()).orElseThrow();
        Optional<String> refusal = completion.reply().refusal();
        if (refusal.isPresent()) {
            done.call().failed(done.object().differs(node, refusal.get()));
        } else {
            done.call().replied(completion.reply().body());
        }
    }

    /** Removes a completed posted call; a later direct call can no longer overtake it. */
    private Optional<Posted> takePosted(long number) {
        Optional<Posted> taken = Optional.ofNullable(posted.remove(number));
        taken.ifPresent(each -> outstanding(each.object()).getAndDecrement());
        return taken;
    }
}
