package io.muninn.client;

import io.muninn.api.DsmException;
import io.muninn.api.spi.LockCondition;
import io.muninn.model.ConditionId;
import java.util.function.Supplier;

/** A condition of a lock, whose queue is kept by the agents. */
final class LiveCondition extends LockCondition {
    private final LiveLock lock;
    private final Supplier<AgentConnection> connections;

    /**
     * @param connections gives the calling thread's; throws for a thread that has none
     */
    LiveCondition(LiveLock lock, ConditionId id, Supplier<AgentConnection> connections) {
        super(id);
        this.lock = lock;
        this.connections = connections;
    }

    @Override
    protected boolean awaitSignal(long limitNanos) throws InterruptedException {
        lock.checkHeld("awaits " + this);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean isSignalled = limitNanos == 0 ? letOthersIn() : await(limitNanos, true);
        if (!isSignalled && Thread.interrupted()) {
            throw new InterruptedException();
        }
        return isSignalled;
    }

    @Override
    public void awaitUninterruptibly() {
        lock.checkHeld("awaits " + this);
        await(FOR_EVER, false);
    }

    private boolean letOthersIn() {
        lock.takeAgain(lock.giveUp());
        return false;
    }

    private boolean await(long limitNanos, boolean isInterruptible) {
        long deadline = nanoTime() + limitNanos;
        AgentConnection connection = connections.get();
        start(connection, Call.WAIT);
        connection.call();
        int holds = lock.giveUp();
        boolean isSignalled;
        try {
            long restNanos = limitNanos < 0 ? FOR_EVER : Math.max(0, deadline - nanoTime());
            isSignalled = connection.awaitSignal(id(), restNanos, isInterruptible);
        } catch (DsmException lost) {
            lock.markLost();
            throw lost;
        }
        lock.takeAgain(holds);
        return isSignalled;
    }

    @Override
    protected void send(boolean toAll) {
        lock.checkHeld("signals " + this);
        AgentConnection connection = connections.get();
        start(connection, Call.SIGNAL).u8(toAll ? 1 : 0);
        connection.call();
    }

    private CallBuffer start(AgentConnection connection, int call) {
        return connection.start(call).text(id().lock().name()).text(id().name());
    }

    @Override
    protected long nanoTime() {
        return System.nanoTime();
    }
}
