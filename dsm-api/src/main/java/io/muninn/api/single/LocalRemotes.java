package io.muninn.api.single;

import io.muninn.api.remote.WordCondition;
import io.muninn.api.service.RemoteLink;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/** The remote variables of the only node: all of them are memory of this process. */
final class LocalRemotes implements RemoteLink {
    /** Time between two looks at a word that a thread waits for: 50 us. */
    private static final long POLL_NANOS = 50_000;

    private final RunState state;
    private final MemorySegment memory;

    LocalRemotes(RunState state, long bytes) {
        this.state = state;
        this.memory = bytes == 0 ? MemorySegment.NULL : LocalLink.memory("remote variables", bytes);
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public boolean isDirect(int node) {
        return true;
    }

    @Override
    public byte[] call(int home, byte[] operations) {
        throw noOther(home);
    }

    @Override
    public void post(int home, byte[] operations) {
        throw noOther(home);
    }

    @Override
    public void begin(long number, int home, byte[] operations) {
        throw noOther(home);
    }

    private static IllegalStateException noOther(int home) {
        return new IllegalStateException("the only node calls home " + home);
    }

    @Override
    public void fence() {
        state.check();
    }

    /** Polls: other threads change the word without a call. */
    @Override
    public void await(int home, WordCondition condition, long limitNanos) throws TimeoutException {
        long begin = System.nanoTime();
        boolean isHeld =
                state.uninterruptibly(() -> {
                    while (!condition.holds(memory)) {
                        if (limitNanos >= 0 && System.nanoTime() - begin >= limitNanos) {
                            return false;
                        }
                        if (Thread.interrupted()) {
                            throw new InterruptedException();
                        }
                        LockSupport.parkNanos(this, POLL_NANOS);
                    }
                    return true;
                });
        if (!isHeld) {
            throw new TimeoutException();
        }
    }
}
