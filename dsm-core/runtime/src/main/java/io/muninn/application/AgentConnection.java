package io.muninn.application;

import io.muninn.api.BarrierBrokenException;
import io.muninn.api.DsmException;
import io.muninn.api.NodeLostException;
import io.muninn.ipc.Answer;
import io.muninn.ipc.Call;
import io.muninn.ipc.CallBuffer;
import io.muninn.ipc.ControlMemory;
import io.muninn.model.ConditionId;
import io.muninn.nativefault.CallChannel;
import io.muninn.nativefault.Mailboxes;
import io.muninn.nativefault.NativeCallException;
import java.io.EOFException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One application thread's connection to its agent: the thread sends a call and waits for the
 * answer. It waits in C, so that a garbage collection does not wait for it.
 *
 * <p><b>Threads.</b> The thread to which it belongs.
 */
final class AgentConnection implements AutoCloseable {
    /** Interval at which an interruptible wait checks for an interrupt. */
    private static final int INTERRUPT_POLL_MILLIS = 10;

    private static final int FRAME_BYTES_MAX = 128 << 20;
    private static final int EMSGSIZE = 90;

    private final CallChannel channel;
    private final CallBuffer buffer = new CallBuffer();
    private @Nullable ThreadRecord record; // null if there are too many threads
    private boolean isDelivered;

    AgentConnection(String agent, byte[] token, int thread) {
        channel = CallChannel.connect(agent);
        start(Call.HELLO).bytes(MemorySegment.ofArray(token)).u32(thread);
        call();
    }

    /**
     * Sets how long this thread polls for an answer before it blocks; 0, the initial value,
     * disables polling.
     */
    void spin(long nanos) {
        channel.spin(nanos);
    }

    /**
     * Sends short calls and receives their answers through a mailbox from now on, if one is free.
     *
     * @param tellFd the descriptor that notifies the agent of calls
     */
    void useMailbox(ControlMemory control, int tellFd) {
        MemorySegment mailboxes = control.mailboxes();
        OptionalInt mailbox = Mailboxes.take(mailboxes);
        if (mailbox.isPresent()) {
            start(Call.MAILBOX).u32(mailbox.getAsInt());
            post();
            channel.use(mailboxes, mailbox.getAsInt(), tellFd);
        }
    }

    /**
     * Keeps a record of this thread in shared memory from now on, so that pages are not held for it
     * when it has continued. The calling thread must be the owner of the connection.
     */
    void useRecord(ControlMemory control) {
        OptionalInt number = control.addThread(CallChannel.threadId());
        if (number.isPresent()) {
            record = new ThreadRecord(control, number.getAsInt());
        }
    }

    /** Records that this thread has made all earlier accesses, and is about to synchronize. */
    void enter() {
        ThreadRecord mine = record;
        if (mine != null) {
            mine.enter();
        }
    }

    /** Records that this thread has obtained a lock, for which it entered a call. */
    void took(int lockSlot) {
        ThreadRecord mine = record;
        if (mine != null) {
            mine.took(lockSlot);
        }
    }

    /** Records that this thread enters a call that frees a lock which it holds. */
    void frees(int lockSlot) {
        ThreadRecord mine = record;
        if (mine != null) {
            mine.frees(lockSlot);
        }
    }

    /** Notifies the agent that this thread has entered a call, if the agent has requested that. */
    void tellIfWatched() {
        ThreadRecord mine = record;
        if (mine != null && mine.takeWatch()) {
            buffer.start(Call.GONE_ON);
            post();
        }
    }

    /** Starts a frame; the caller adds its fields, then calls {@link #call} or {@link #post}. */
    CallBuffer start(int call) {
        enter();
        return buffer.start(call);
    }

    /** Sends a frame that has no answer. */
    void post() {
        try {
            channel.send(buffer.address(), buffer.written());
        } catch (EOFException gone) {
            throw new AgentGoneException(gone);
        }
    }

    /**
     * Sends the frame and waits for its answer.
     *
     * @return the answer's value, 0 if it has none
     * @throws NodeLostException if a node is lost
     * @throws DsmException if the agent or the cluster refuses
     */
    long call() {
        try {
            return callTimed();
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a call without limit timed out", impossible);
        }
    }

    /** As {@link #call}, for a call with a time limit. */
    long callTimed() throws TimeoutException {
        try {
            int bytes = channel.exchange(buffer.address(), buffer.written(), buffer.capacity());
            buffer.received(bytes);
        } catch (EOFException gone) {
            throw new AgentGoneException(gone);
        } catch (NativeCallException failure) {
            growFor(failure);
            awaitAnswer();
        }
        return outcome();
    }

    private long outcome() throws TimeoutException {
        int kind = buffer.u8();
        isDelivered = kind == Answer.DELIVERED;
        return switch (kind) {
            case Answer.DONE -> buffer.i64();
            case Answer.TIMED_OUT -> throw new TimeoutException(buffer.text());
            case Answer.BROKEN -> throw new BarrierBrokenException(buffer.text());
            case Answer.LOST -> throw new NodeLostException(buffer.u32(), buffer.text());
            case Answer.REFUSED -> throw new RefusedException(buffer.text());
            case Answer.COMPLETED -> buffer.i64();
            case Answer.CANCELLED -> throw new CancellationException();
            case Answer.DELIVERED, Answer.JOINED -> 0; // the caller reads the rest
            default -> throw new IllegalStateException("the agent sent an unknown answer");
        };
    }

    /**
     * Reads the inner outcome from the rest of the answer after {@link #call}.
     *
     * @throws DsmException if it is a refusal
     */
    void inner() {
        try {
            outcome();
        } catch (TimeoutException impossible) {
            throw new IllegalStateException("a call without limit timed out", impossible);
        }
    }

    /** True if the last answer was a delivery, whose rest the caller must read. */
    boolean isDelivered() {
        return isDelivered;
    }

    /** The delivered bytes, without their sender. */
    byte[] delivered() {
        buffer.u32(); // the sender
        return buffer.rest();
    }

    /** The rest of the answer after {@link #call}. */
    CallBuffer answer() {
        return buffer;
    }

    /**
     * As {@link #callTimed}, but an interrupt ends the wait with a {@link Call#CANCEL} of the lock.
     *
     * @return true if the lock is now held, also if an interrupt arrived too late; the thread is
     *     still interrupted
     */
    boolean acquireInterruptibly(String lock, long limitNanos) throws TimeoutException {
        start(Call.ACQUIRE).text(lock).i64(limitNanos);
        post();
        while (receive(INTERRUPT_POLL_MILLIS) == 0) {
            if (Thread.interrupted()) {
                start(Call.CANCEL).text(lock);
                post();
                awaitAnswer();
                boolean held = buffer.u8() == Answer.DONE;
                Thread.currentThread().interrupt(); // the caller decides what it means
                return held;
            }
        }
        outcome();
        return true;
    }

    /**
     * Waits for a signal, after the lock was released.
     *
     * @param isInterruptible true if an interrupt ends the wait; the thread is still interrupted
     * @return true if the signal arrived, also if an interrupt arrived too late
     * @throws NodeLostException if a node is lost
     */
    boolean awaitSignal(ConditionId condition, long limitNanos, boolean isInterruptible) {
        start(Call.AWAIT_SIGNAL).text(condition.lock().name()).text(condition.name());
        buffer.i64(limitNanos);
        post();
        boolean isInterrupted = false;
        if (isInterruptible) {
            while (!isInterrupted && receive(INTERRUPT_POLL_MILLIS) == 0) {
                isInterrupted = Thread.interrupted();
            }
        }
        if (isInterrupted) {
            start(Call.CANCEL_SIGNAL);
            post();
        }
        if (isInterrupted || !isInterruptible) {
            awaitAnswer();
        }
        try {
            outcome();
            return true;
        } catch (TimeoutException | CancellationException noSignal) {
            return false;
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt(); // the caller decides what it means
            }
        }
    }

    private void awaitAnswer() {
        if (receive(-1) == 0) {
            throw new IllegalStateException("an endless wait ended");
        }
    }

    private int receive(int timeoutMillis) {
        while (true) {
            try {
                int bytes = channel.receive(buffer.address(), buffer.capacity(), timeoutMillis);
                buffer.received(bytes);
                return bytes;
            } catch (EOFException gone) {
                throw new AgentGoneException(gone);
            } catch (NativeCallException failure) {
                growFor(failure);
            }
        }
    }

    /** Enlarges the buffer for a frame that did not fit and can still be received. */
    private void growFor(NativeCallException failure) {
        if (failure.errno() != EMSGSIZE || buffer.capacity() >= FRAME_BYTES_MAX) {
            throw failure;
        }
        buffer.grow();
    }

    @Override
    public void close() {
        channel.close();
    }
}
