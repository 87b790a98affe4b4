package io.muninn.api.single;

import io.muninn.api.DsmException;
import io.muninn.api.DsmNode;
import io.muninn.api.shipping.Declaration;
import io.muninn.api.shipping.PostedCall;
import io.muninn.api.shipping.Route;
import io.muninn.api.shipping.ServedObject;
import io.muninn.model.ObjectId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Shipped objects of the only node: calls run on their callers' threads, asynchronous ones on a
 * thread of the object.
 */
final class LocalObjects implements Route {
    private final RunState state;
    private final Supplier<List<String>> heldLocks;
    private final Map<ObjectId, Turns> turns = new HashMap<>(); // guarded by the monitor

    /**
     * @param heldLocks of the calling thread
     */
    LocalObjects(RunState state, Supplier<List<String>> heldLocks) {
        this.state = state;
        this.heldLocks = heldLocks;
    }

    @Override
    public List<String> heldLocks() {
        return heldLocks.get();
    }

    @Override
    public synchronized void declare(Declaration object, ServedObject served) {
        turns.put(object.object(), new Turns(object, served));
    }

    private synchronized Turns turns(Declaration object) {
        return turns.get(object.object());
    }

    /** Always: whoever comes, by whichever way, waits in one queue. */
    @Override
    public boolean isDirect(Declaration object) {
        return true;
    }

    @Override
    public void takeTurn(Declaration object) {
        state.check();
        Turns of = turns(object);
        of.await(of.queue());
    }

    @Override
    public void endTurn(Declaration object) {
        turns(object).end();
    }

    @Override
    public byte[] call(Declaration object, byte[] request) {
        throw new IllegalStateException("there is no other node than the caller's");
    }

    @Override
    public void post(Declaration object, byte[] request, PostedCall call) {
        state.check();
        turns(object).post(request, call);
    }

    @Override
    public <T> CompletableFuture<T> newFuture() {
        return new CompletableFuture<>();
    }

    /** Who may call an object, in the order asked: the head of the queue runs. */
    private final class Turns {
        /** One call; told apart by identity. */
        private static final class Ticket {}

        private record Posted(Ticket ticket, byte[] request, PostedCall call) {}

        private final ReentrantLock lock = new ReentrantLock();
        private final Condition passed = lock.newCondition();
        private final Deque<Ticket> tickets = new ArrayDeque<>();
        private final Deque<Posted> posted = new ArrayDeque<>();
        private final Declaration object;
        private final ServedObject served;
        private boolean hasThread;

        Turns(Declaration object, ServedObject served) {
            this.object = object;
            this.served = served;
        }

        Ticket queue() {
            lock.lock();
            try {
                Ticket ticket = new Ticket();
                tickets.add(ticket);
                return ticket;
            } finally {
                lock.unlock();
            }
        }

        void await(Ticket ticket) {
            try {
                state.uninterruptibly(() -> {
                    awaitHead(ticket);
                    return true;
                });
            } catch (DsmException ended) {
                leave(ticket);
                throw ended;
            }
        }

        private void awaitHead(Ticket ticket) throws InterruptedException {
            lock.lock();
            try {
                while (tickets.peek() != ticket) {
                    passed.await();
                }
            } finally {
                lock.unlock();
            }
        }

        private void leave(Ticket ticket) {
            lock.lock();
            try {
                tickets.remove(ticket);
                passed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void end() {
            lock.lock();
            try {
                tickets.remove();
                passed.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void post(byte[] request, PostedCall call) {
            state.uninterruptibly(() -> {
                queue(request, call);
                return true;
            });
        }

        private void queue(byte[] request, PostedCall call) throws InterruptedException {
            lock.lock();
            try {
                while (posted.size() >= DsmNode.CALLS_MAX) {
                    passed.await();
                }
                Ticket ticket = new Ticket();
                tickets.add(ticket);
                posted.add(new Posted(ticket, request, call));
                passed.signalAll();
                if (!hasThread) {
                    hasThread = true;
                    Thread.ofPlatform()
                            .name("muninn-object-" + object.object())
                            .daemon(true)
                            .start(this::runPosted);
                }
            } finally {
                lock.unlock();
            }
        }

        /** Ends when the run does. */
        private void runPosted() {
            while (true) {
                Posted next;
                try {
                    next = state.uninterruptibly(this::takePosted);
                } catch (DsmException ended) {
                    failPosted(ended);
                    return;
                }
                run(next);
            }
        }

        private Posted takePosted() throws InterruptedException {
            lock.lock();
            try {
                while (posted.isEmpty()) {
                    passed.await();
                }
                passed.signalAll();
                return posted.remove();
            } finally {
                lock.unlock();
            }
        }

        private void run(Posted next) {
            byte[] reply;
            try {
                await(next.ticket());
                try {
                    reply = served.serve(next.request());
                } finally {
                    end();
                }
            } catch (DsmException ended) {
                next.call().failed(ended);
                return;
            }
            next.call().replied(reply);
        }

        private void failPosted(DsmException ended) {
            lock.lock();
            try {
                while (!posted.isEmpty()) {
                    posted.remove().call().failed(ended);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
