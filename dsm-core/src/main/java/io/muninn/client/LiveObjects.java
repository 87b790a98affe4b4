package io.muninn.client;

import io.muninn.api.DsmException;
import io.muninn.api.shipping.Declaration;
import io.muninn.api.shipping.PostedCall;
import io.muninn.api.shipping.Route;
import io.muninn.api.shipping.ServedObject;
import io.muninn.model.ObjectId;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Shipped objects through the agents. Each object that this node serves has a thread, the server;
 * one more thread completes the posted calls of this node.
 *
 * <p><b>Threads.</b> Any application thread.
 */
final class LiveObjects implements Route {
    private record Posted(Declaration object, PostedCall call) {}

    private final LiveSession session;
    private final AtomicLong posts = new AtomicLong();
    private final Map<ObjectId, AtomicInteger> outstanding = new ConcurrentHashMap<>();
    private final Map<Long, Posted> posted = new ConcurrentHashMap<>(); // not completed, by number
    private boolean hasCompleter; // guarded by the monitor
    private volatile @Nullable DsmException ended; // null while calls are completed

    LiveObjects(LiveSession session) {
        this.session = session;
    }

    @Override
    public List<String> heldLocks() {
        return session.locks().held();
    }

    @Override
    public void declare(Declaration object, ServedObject served) {
        AgentConnection connection = session.connection();
        connection
                .start(Call.DECLARE)
                .text(object.object().name())
                .u32(object.node())
                .i64(object.fingerprint())
                .text(object.text());
        connection.call();
        if (object.node() == session.nodeId()) {
            Thread.ofPlatform()
                    .name("muninn-object-" + object.object())
                    .daemon(true)
                    .start(() -> serve(object, served));
        }
    }

    /** Runs one call after another, until the run is over. */
    private void serve(Declaration object, ServedObject served) {
        try {
            session.bindOwnThread();
            AgentConnection connection = session.connection();
            connection.start(Call.SERVE).text(object.object().name()).u8(0);
            while (true) {
                connection.call();
                connection.answer().u32(); // the caller's node
                byte[] request = connection.answer().rest();
                takeTurn(object);
                byte[] reply;
                try {
                    reply = served.serve(request);
                } finally {
                    endTurn(object);
                }
                connection
                        .start(Call.SERVE)
                        .text(object.object().name())
                        .u8(1)
                        .bytes(MemorySegment.ofArray(reply));
            }
        } catch (DsmException over) {
            // a lost node or an ended run: nobody calls any more, and every caller is told
        }
    }

    @Override
    public boolean isDirect(Declaration object) {
        return object.node() == session.nodeId() && outstanding(object).get() == 0;
    }

    /** Posted calls of the object that are not completed. */
    private AtomicInteger outstanding(Declaration object) {
        return outstanding.computeIfAbsent(object.object(), _ -> new AtomicInteger());
    }

    @Override
    public void takeTurn(Declaration object) {
        session.locks().lock(object.object().turn().name()).lock();
    }

    @Override
    public void endTurn(Declaration object) {
        session.locks().lock(object.object().turn().name()).unlock();
    }

    @Override
    public byte[] call(Declaration object, byte[] request) {
        checkRunning(object);
        AgentConnection connection = session.connection();
        start(connection, Call.SHIP, object, request);
        try {
            connection.call();
        } catch (RefusedException refused) {
            throw object.differs(session.nodeId(), refused.getMessage());
        }
        return reply(connection);
    }

    @Override
    public void post(Declaration object, byte[] request, PostedCall call) {
        checkRunning(object);
        startCompleter();
        long number = posts.getAndIncrement();
        outstanding(object).getAndIncrement();
        posted.put(number, new Posted(object, call));
        try {
            AgentConnection connection = session.connection();
            connection.start(Call.POST).i64(number);
            fields(connection.answer(), object, request);
            connection.call();
            DsmException over = ended;
            if (over != null) {
                throw over; // the completer may have looked before this call was there
            }
        } catch (DsmException failed) {
            takePosted(number).ifPresent(left -> left.call().failed(failed));
        }
    }

    private void checkRunning(Declaration object) {
        if (!session.isRunning() && object.node() != session.nodeId()) {
            throw object.tooEarly();
        }
    }

    private static void start(
            AgentConnection connection, int call, Declaration object, byte[] request) {
        fields(connection.start(call), object, request);
    }

    private static void fields(CallBuffer out, Declaration object, byte[] request) {
        out.text(object.object().name())
                .u32(object.node())
                .i64(object.fingerprint())
                .bytes(MemorySegment.ofArray(request));
    }

    private static byte[] reply(AgentConnection connection) {
        connection.answer().u32(); // the serving node
        return connection.answer().rest();
    }

    @Override
    public <T> CompletableFuture<T> newFuture() {
        return new CompletableFuture<>();
    }

    private synchronized void startCompleter() {
        if (!hasCompleter) {
            hasCompleter = true;
            Thread.ofPlatform().name("muninn-replies").daemon(true).start(this::complete);
        }
    }

    /** Completes one call after another, until the run is over. */
    private void complete() {
        try {
            session.bindOwnThread();
            AgentConnection connection = session.connection();
            while (true) {
                connection.start(Call.COMPLETIONS);
                long number = connection.call();
                Posted done = takePosted(number).orElseThrow();
                try {
                    connection.inner();
                } catch (RefusedException refused) {
                    done.call()
                            .failed(done.object().differs(session.nodeId(), refused.getMessage()));
                    continue;
                }
                done.call().replied(reply(connection));
            }
        } catch (DsmException over) {
            ended = over;
            for (Long number : posted.keySet()) {
                takePosted(number).ifPresent(left -> left.call().failed(over));
            }
        }
    }

    /** A posted call is over; what comes after it may overtake nothing any more. */
    private Optional<Posted> takePosted(long number) {
        Optional<Posted> taken = Optional.ofNullable(posted.remove(number));
        taken.ifPresent(each -> outstanding(each.object()).getAndDecrement());
        return taken;
    }
}
