package io.muninn.agent.calls;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.ipc.Answer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A process that connects to an abstract Unix socket and sends arbitrary bytes; the JDK's own
 * sockets do not support abstract names.
 */
final class StreamSocket implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int SHUT_WR = 1;
    private static final short POLLIN = 1;
    private static final int PATIENCE_MILLIS = 30_000;
    private static final int DONE_FRAME_BYTES = 1 + Long.BYTES;

    private static final MethodHandle SOCKET = function("socket", JAVA_INT, JAVA_INT, JAVA_INT);
    private static final MethodHandle CONNECT = function("connect", JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle SHUTDOWN = function("shutdown", JAVA_INT, JAVA_INT);
    private static final MethodHandle CLOSE = function("close", JAVA_INT);
    private static final MethodHandle POLL = function("poll", ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SEND =
            function("send", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);
    private static final MethodHandle RECEIVE =
            function("recv", JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT);

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(1 << 12);
    private final int fd;

    StreamSocket(String name) throws IOException {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        MemorySegment address = arena.allocate(Short.BYTES + 1 + bytes.length);
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(bytes, 0, address, JAVA_BYTE, Short.BYTES + 1, bytes.length);
        fd = call(SOCKET, AF_UNIX, SOCK_STREAM_CLOEXEC, 0);
        if (call(CONNECT, fd, address, (int) address.byteSize()) != 0) {
            throw new IOException("nobody listens at " + name);
        }
    }

    private static MethodHandle function(String name, MemoryLayout... arguments) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(JAVA_INT, arguments));
    }

    private static int call(MethodHandle function, Object... arguments) {
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Sends as much as the other end accepts before it closes. */
    void send(byte[] bytes) {
        for (int at = 0; at < bytes.length; ) {
            int count = Math.min(bytes.length - at, (int) buffer.byteSize());
            MemorySegment.copy(bytes, at, buffer, JAVA_BYTE, 0, count);
            int sent = call(SEND, fd, buffer, (long) count, MSG_NOSIGNAL);
            if (sent <= 0) {
                return;
            }
            at += sent;
        }
    }

    void endOutput() {
        call(SHUTDOWN, fd, SHUT_WR);
    }

    /** Waits until there are bytes to receive, or the end. */
    private int receive(int at, int count) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment poll = call.allocate(Long.BYTES, Integer.BYTES);
            poll.set(JAVA_INT, 0, fd);
            poll.set(JAVA_SHORT, Integer.BYTES, POLLIN);
            assertTrue(call(POLL, poll, 1L, PATIENCE_MILLIS) == 1, "neither answer nor end");
        }
        return call(RECEIVE, fd, buffer.asSlice(at, count), (long) count, 0);
    }

    /** The other end has closed without sending. */
    void assertCutOff() {
        assertTrue(receive(0, 1) <= 0, "it was answered");
    }

    /** The value of the next answer. */
    long readAnswer() {
        int bytes = Integer.BYTES + DONE_FRAME_BYTES;
        for (int at = 0; at < bytes; ) {
            int count = receive(at, bytes - at);
            assertTrue(count > 0, "it was cut off");
            at += count;
        }
        ByteBuffer answer = buffer.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        assertEquals(DONE_FRAME_BYTES, answer.getInt());
        assertEquals(Answer.DONE, answer.get());
        return answer.getLong();
    }

    @Override
    public void close() {
        call(CLOSE, fd);
        arena.close();
    }
}
