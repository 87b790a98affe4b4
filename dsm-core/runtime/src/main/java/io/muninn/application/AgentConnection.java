package io.muninn.application;

import io.muninn.api.DsmException;
import io.muninn.api.NodeLostException;
import io.muninn.ipc.Answer;
import io.muninn.ipc.Call;
import io.muninn.ipc.CallBuffer;
import io.muninn.ipc.CallCodec;
import io.muninn.ipc.ControlMemory;
import io.muninn.link.ThreadCalls;
import io.muninn.model.MappingId;
import io.muninn.nativefault.CallChannel;
import io.muninn.nativefault.Mailboxes;
import io.muninn.nativefault.NativeCallException;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import io.muninn.waits.Hold;
import java.io.EOFException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One application thread's connection to its agent: the thread sends a call and waits for the
 * answer. It waits in C, so that a garbage collection does not wait for it.
 *
 * <p><b>Threads.</b> The thread to which it belongs.
 */
final class AgentConnection implements ThreadCalls, AutoCloseable {
    /** Interval at which an interruptible wait checks for an interrupt. */
    private static final int INTERRUPT_POLL_MILLIS = 10;

    private static final int FRAME_BYTES_MAX = 128 << 20;
    private static final int EMSGSIZE = 90;

    private final CallChannel channel;
    private final CallBuffer buffer = new CallBuffer();
    private @Nullable ThreadRecord record; // null if there are too many threads
    private @Nullable CallEvents events; // null unless calls are recorded
    private @Nullable LoadRecord loads; // null unless the run looks for races
    private @Nullable StoreLines stores; // null unless they are wanted
    private final WaiterId id;
    private long value; // of the last answer

    AgentConnection(String agent, byte[] token, int thread) {
        id = new WaiterId(MappingId.FIRST, thread);
        channel = CallChannel.connect(agent);
        start(Call.HELLO).bytes(MemorySegment.ofArray(token)).u32(thread);
        call();
    }

    /** Makes events of this thread's waits from now on. */
    void record(CallEvents made) {
        events = made;
    }

    /** Tells the agent what the process has loaded before each event from now on. */
    void tellLoads(LoadRecord made) {
        loads = made;
    }

    /** Tells the agent which lines have stored to pages, before each event from now on. */
    void tellStores(StoreLines made) {
        stores = made;
    }

    /** Tells the agent what the process has loaded: a release may follow. */
    void tellLoads() {
        StoreLines lines = stores;
        if (lines != null) {
            lines.tell(this);
        }
        LoadRecord made = loads;
        if (made != null) {
            made.tell(this);
        }
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
        OptionalInt number = control.addThread(CallChannel.threadId(), id.thread());
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

    /** Counts an operation on a remote word that this thread performs itself. */
    void accesses() {
        ThreadRecord mine = record;
        if (mine != null) {
            mine.accesses();
        }
    }

    /** Records that this thread has obtained a lock, for which it entered a call. */
    void took(int lockSlot, Hold.Mode mode) {
        ThreadRecord mine = record;
        if (mine != null) {
            mine.took(lockSlot, mode);
        }
    }

    /** Records that this thread enters a call that frees a lock which it holds. */
    void frees(int lockSlot, Hold.Mode mode) {
        ThreadRecord mine = record;
        if (mine != null) {
            mine.frees(lockSlot, mode);
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
        ThreadCalls.checkUntimed(exchange());
        return value;
    }

    private Outcome exchange() {
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

    private Outcome outcome() {
        value = 0;
        return switch (buffer.u8()) {
            case Answer.DONE -> {
                value = buffer.i64();
                yield Outcome.DONE;
            }
            case Answer.TIMED_OUT -> new Outcome.TimedOut(buffer.text());
            case Answer.BROKEN -> new Outcome.Broken(buffer.text());
            case Answer.LOST -> new Outcome.Lost(buffer.u32(), buffer.text());
            case Answer.REFUSED -> new Outcome.Refused(buffer.text());
            case Answer.COMPLETED -> new Outcome.Completed(buffer.i64(), outcome());
            case Answer.CANCELLED -> Outcome.CANCELLED;
            case Answer.DELIVERED -> new Outcome.Delivered(buffer.u32(), new Bytes(buffer.rest()));
            case Answer.JOINED -> Outcome.DONE; // the caller reads the rest
            default -> throw new IllegalStateException("the agent sent an unknown answer");
        };
    }

    /** The rest of the answer after {@link #call}. */
    CallBuffer answer() {
        return buffer;
    }

    @Override
    public WaiterId id() {
        return id;
    }

    @Override
    public Outcome await(Event.Waiting call) {
        return events == null ? answer(call) : events.record(call, () -> answer(call));
    }

    private Outcome answer(Event.Waiting call) {
        tellLoads();
        write(call);
        return exchange();
    }

    /** Sends one frame: that of a reply is also the call for the next request. */
    @Override
    public Outcome await(Event.CallServed reply, Event.ServeCalled next) {
        tellLoads();
        write(reply);
        return exchange();
    }

    /** Waits for the answer of a declaration or of loads, which other threads may rely on. */
    @Override
    public void post(Event event) {
        if (event instanceof Event.Loaded) {
            write(event);
            call();
            return;
        }
        tellLoads();
        write(event);
        if (event instanceof Event.ObjectDeclared) {
            call();
        } else {
            post();
        }
    }

    private void write(Event event) {
        enter();
        CallCodec.write(event, buffer);
    }

    @Override
    public Outcome awaitInterruptibly(Event.Waiting call) {
        return events == null
                ? answerInterruptibly(call)
                : events.record(call, () -> answerInterruptibly(call));
    }

    private Outcome answerInterruptibly(Event.Waiting call) {
        tellLoads();
        write(call);
        post();
        while (receive(INTERRUPT_POLL_MILLIS) == 0) {
            if (Thread.interrupted()) {
                write(call.cancellation().orElseThrow());
                post();
                awaitAnswer();
                Thread.currentThread().interrupt(); // the caller decides what it means
                break;
            }
        }
        return outcome();
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
