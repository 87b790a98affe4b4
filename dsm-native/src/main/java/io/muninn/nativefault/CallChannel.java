package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.EOFException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One application thread's connection to its agent: blocking, a stream of frames, each a u32 length
 * (little-endian) and that many bytes.
 *
 * <p>A thread that waits here waits in C, so collections go on, and a Java interrupt does not close
 * the connection under it. One write per frame sent; a frame that arrives whole takes one read, and
 * one in a {@linkplain Mailboxes mailbox} none.
 *
 * <p><b>Threads.</b> One thread at a time; {@link #close()} too.
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
     * @throws NativeCallException if nobody listens there (ECONNREFUSED)
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
     * From now on, calls and answers that are short go through a mailbox, and the wait for every
     * answer is there.
     *
     * @param mailboxes the memory of all, which must outlive this connection
     * @param mailbox that {@link Mailboxes#take(MemorySegment)} gave; a frame of this connection
     *     has told the agent whose it is
     * @param tellFd an eventfd that tells the agent; it stays the caller's
     */
    public void use(MemorySegment mailboxes, int mailbox, int tellFd) {
        NativeCallException.checked(
                "dsm_call_use_mailbox",
                FaultLibrary.dsm_call_use_mailbox(open(), mailboxes.address(), mailbox, tellFd));
    }

    /**
     * Sends one frame; waits for the agent to take it.
     *
     * @param address of its bytes, in native memory
     * @param bytes 1 or more, without the length field
     * @throws EOFException if the agent has closed the connection
     */
    public void send(long address, int bytes) throws EOFException {
        checked("dsm_call_send", FaultLibrary.dsm_call_send(open(), address, bytes));
    }

    /**
     * From now on, a wait for a frame begins with looking for it.
     *
     * @param nanos for so long at most, less while that is in vain; yields after each look, and
     *     blocks as soon as another thread takes the CPU. 0, as at first, for not at all
     */
    public void spin(long nanos) {
        FaultLibrary.dsm_call_spin(open(), nanos);
    }

    /**
     * Receives one frame.
     *
     * @param address where its bytes go, in native memory
     * @param capacity bytes there
     * @param timeoutMillis 0 polls, -1 waits for ever; part of a frame is kept for the next call
     * @return its length, 1 or more; 0 when the time is up
     * @throws EOFException if the agent has closed the connection
     * @throws NativeCallException for a frame longer than {@code capacity} (EMSGSIZE; it can be
     *     received with more), or of length 0 (EBADMSG; the connection is of no more use)
     */
    public int receive(long address, int capacity, int timeoutMillis) throws EOFException {
        return checked(
                "dsm_call_receive",
                FaultLibrary.dsm_call_receive(open(), address, capacity, timeoutMillis));
    }

    /**
     * {@link #send}, then {@link #receive} without a limit, into the same memory.
     *
     * @param address of the frame's bytes, in native memory, where those of the answer go
     * @param capacity bytes there
     * @return the answer's length
     * @throws EOFException if the agent has closed the connection
     * @throws NativeCallException for an answer longer than {@code capacity} (EMSGSIZE): the frame
     *     was sent, and the answer can be received with more
     */
    public int exchange(long address, int bytes, int capacity) throws EOFException {
        return checked(
                "dsm_call_exchange",
                FaultLibrary.dsm_call_exchange(open(), address, bytes, capacity));
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
