package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.EOFException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One application thread's connection to its agent: blocking, a stream of frames, each a u32 length
 * (little-endian) and that many bytes.
 *
 * <p>A thread waits in C, so garbage collections proceed and a Java interrupt does not close the
 * connection. Sending a frame takes one write. Receiving a frame that arrives in one piece takes
 * one read, and none if it is in a {@linkplain Mailboxes mailbox}.
 *
 * <p><b>Threads.</b> One thread at a time, also for {@link #close()}.
 */
public final class CallChannel implements AutoCloseable {
    private long handle;

    private CallChannel(long handle) {
        this.handle = handle;
    }

    /**
     * Connects.
     *
     * @param abstractName of a listening Unix stream socket, 1 to 100 bytes, without the leading
     *     zero byte
     * @throws NativeCallException if no process listens there (ECONNREFUSED)
     */
    public static CallChannel connect(String abstractName) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            NativeCallException.checked(
                    "dsm_call_open",
                    FaultLibrary.dsm_call_open(
                            NativeMemory.name(arena, abstractName).address(), handle.address()));
            return new CallChannel(handle.get(JAVA_LONG, 0));
        }
    }

    /**
     * Uses a mailbox from now on: short calls and answers are sent through it, and this thread
     * waits there for every answer.
     *
     * @param mailboxes the memory of all mailboxes, which must outlive this connection
     * @param mailbox the result of {@link Mailboxes#take(MemorySegment)}; an earlier frame of this
     *     connection must have sent it to the agent
     * @param tellFd an eventfd that notifies the agent; the caller keeps it
     */
    public void use(MemorySegment mailboxes, int mailbox, int tellFd) {
        NativeCallException.checked(
                "dsm_call_use_mailbox",
                FaultLibrary.dsm_call_use_mailbox(open(), mailboxes.address(), mailbox, tellFd));
    }

    /**
     * Sends one frame. Blocks until the socket accepts it.
     *
     * @param address address of its bytes, in native memory
     * @param bytes 1 or more, without the length field
     * @throws EOFException if the agent has closed the connection
     */
    public void send(long address, int bytes) throws EOFException {
        checked("dsm_call_send", FaultLibrary.dsm_call_send(open(), address, bytes));
    }

    /**
     * Sets how long a wait for a frame polls before it blocks.
     *
     * @param nanos longest time to poll; shortened while polling does not succeed. Yields after
     *     each poll and blocks as soon as another thread takes the CPU. 0, the initial value,
     *     disables polling
     */
    public void spin(long nanos) {
        FaultLibrary.dsm_call_spin(open(), nanos);
    }

    /**
     * Receives one frame.
     *
     * @param address address of the destination, in native memory
     * @param capacity size of the destination in bytes
     * @param timeoutMillis 0 polls, -1 waits for ever; a partial frame is kept for the next call
     * @return its length, 1 or more; 0 on timeout
     * @throws EOFException if the agent has closed the connection
     * @throws NativeCallException for a frame longer than {@code capacity} (EMSGSIZE; it can be
     *     received with a larger capacity), or of length 0 (EBADMSG; the connection is then
     *     unusable)
     */
    public int receive(long address, int capacity, int timeoutMillis) throws EOFException {
        return checked(
                "dsm_call_receive",
                FaultLibrary.dsm_call_receive(open(), address, capacity, timeoutMillis));
    }

    /**
     * Sends a frame and receives the answer into the same memory, without a time limit.
     *
     * @param address address of the frame's bytes, in native memory, which the answer overwrites
     * @param capacity size of that memory in bytes
     * @return the answer's length
     * @throws EOFException if the agent has closed the connection
     * @throws NativeCallException for an answer longer than {@code capacity} (EMSGSIZE): the frame
     *     was sent, and the answer can be received with a larger capacity
     */
    public int exchange(long address, int bytes, int capacity) throws EOFException {
        return checked(
                "dsm_call_exchange",
                FaultLibrary.dsm_call_exchange(open(), address, bytes, capacity));
    }

    /** The calling thread's id, which is the operating system's and that of {@link FaultSink}. */
    public static int threadId() {
        return FaultLibrary.dsm_thread_id();
    }

    private static int checked(String call, int result) throws EOFException {
        if (result == -Errno.EPIPE) {
            throw new EOFException("the agent has closed the connection");
        }
        return NativeCallException.checked(call, result);
    }

    @Override
    public void close() {
        if (handle != 0) {
            FaultLibrary.dsm_call_close(handle);
            handle = 0;
        }
    }

    private long open() {
        if (handle == 0) {
            throw new IllegalStateException("the connection is closed");
        }
        return handle;
    }
}
