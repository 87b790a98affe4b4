package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Native;
import java.io.EOFException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames between an application thread and a server at an abstract Unix socket. */
@Timeout(60)
class CallChannelTest {
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;
    private static final int MSG_WAITALL = 0x100;

    static {
        NativeDirectory.faultLibrary();
        Native.register(CallChannelTest.class, "c");
    }

    private final Arena arena = Arena.ofShared();
    private final String name = Pair.name();
    private int listener;
    private CallChannel channel;
    private int server;

    private static native int socket(int domain, int type, int protocol);

    private static native int bind(int fd, long address, int bytes);

    private static native int listen(int fd, int backlog);

    private static native int accept(int fd, long address, long bytes);

    private static native long recv(int fd, long to, long bytes, int flags);

    private static native long write(int fd, long from, long bytes);

    private static native int close(int fd);

    @BeforeEach
    void connect() {
        byte[] path = name.getBytes(StandardCharsets.UTF_8);
        MemorySegment address = arena.allocate(3L + path.length, Short.BYTES);
        address.set(JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(MemorySegment.ofArray(path), 0, address, 3, path.length);
        listener = socket(AF_UNIX, SOCK_STREAM, 0);
        assertEquals(0, bind(listener, address.address(), (int) address.byteSize()));
        assertEquals(0, listen(listener, 1));
        channel = CallChannel.connect(name);
        server = accept(listener, 0, 0);
        channel.spin(spinNanos());
    }

    /** Time for which waits poll before they block. */
    long spinNanos() {
        return 0;
    }

    @AfterEach
    void disconnect() {
        channel.close();
        close(server);
        close(listener);
        arena.close();
    }

    private MemorySegment text(String text) {
        return arena.allocateFrom(text);
    }

    @Test
    void frames_carryTheirLengthAndBytes() throws EOFException {
        channel.send(text("acquire").address(), 7);
        MemorySegment frame = arena.allocate(11);
        assertEquals(11, recv(server, frame.address(), 11, MSG_WAITALL));
        assertEquals(7, frame.get(JAVA_INT_UNALIGNED, 0));
        assertEquals(
                "acquire", new String(frame.asSlice(4).toArray(JAVA_BYTE), StandardCharsets.UTF_8));

        assertEquals(11, write(server, frame.address(), 11));
        MemorySegment answer = arena.allocate(64);
        assertEquals(7, channel.receive(answer.address(), 64, -1));
        assertEquals("acquire", answer.getString(0));
    }

    @Test
    void silence_endsTheWaitAndKeepsTheConnection() throws EOFException {
        MemorySegment answer = arena.allocate(64);

        assertEquals(0, channel.receive(answer.address(), 64, 20));
        assertEquals(0, channel.receive(answer.address(), 64, 0));
        write(server, text("\1\0\0\0x").address(), 5);

        assertEquals(1, channel.receive(answer.address(), 64, 1000));
    }

    @Test
    void interrupt_doesNotCloseTheConnection() throws EOFException {
        MemorySegment answer = arena.allocate(64);

        Thread.currentThread().interrupt();
        assertEquals(0, channel.receive(answer.address(), 64, 20));
        assertTrue(Thread.interrupted());
        write(server, text("\1\0\0\0x").address(), 5);

        assertEquals(1, channel.receive(answer.address(), 64, 1000));
    }

    @Test
    void endOfTheServer_isAnEof() {
        MemorySegment answer = arena.allocate(64);
        close(server);

        assertThrows(EOFException.class, () -> channel.receive(answer.address(), 64, -1));
        assertThrows(EOFException.class, () -> channel.send(answer.address(), 8));
    }

    @Test
    void collectionsWhileAThreadWaits_goOn() throws InterruptedException {
        MemorySegment answer = arena.allocate(64);
        Thread waiter =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                channel.receive(answer.address(), 64, -1);
                            } catch (EOFException ended) {
                                throw new AssertionError(ended);
                            }
                        });

        for (int i = 0; i < 5; i++) {
            System.gc(); // would hang if the waiter held up safepoints
        }
        assertTrue(waiter.isAlive());
        write(server, text("\1\0\0\0x").address(), 5);
        waiter.join();

        assertEquals("x", answer.getString(0));
    }

    @Test
    void closedChannel_refusesToWork() {
        channel.close();

        assertThrows(
                IllegalStateException.class, () -> channel.send(arena.allocate(8).address(), 8));
    }
}
