package io.muninn.apps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A process's end of the turns that several take which are measured against each other: one goes on
 * and the others wait, so that all meet the same minutes of a machine that is slower in some.
 *
 * <p><b>Threads.</b> One at a time.
 */
public final class Turns implements AutoCloseable {
    /** The environment variable that names the port, on this machine, of who gives turns. */
    public static final String PORT = "MUNINN_TURNS";

    private final Socket socket;

    /**
     * Connects to who gives turns.
     *
     * @param port on this machine
     * @throws UncheckedIOException if nobody is there
     */
    public Turns(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
        } catch (IOException cause) {
            throw new UncheckedIOException("nobody gives turns at port " + port, cause);
        }
    }

    /** Of a process whose environment says so; empty for others, whose turn it always is. */
    static Optional<Turns> ofEnvironment() {
        return Optional.ofNullable(System.getenv(PORT)).map(Integer::parseInt).map(Turns::new);
    }

    /**
     * Waits until it is this process's turn.
     *
     * @throws UncheckedIOException if nobody gives turns any more
     */
    public void await() {
        try {
            await(socket);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /**
     * Ends this process's turn.
     *
     * @throws UncheckedIOException if nobody gives turns any more
     */
    public void pass() {
        try {
            pass(socket);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /**
     * Waits until all have had their turns, or nobody gives any more. Who goes on behind its last
     * turn would do so during those of others.
     */
    public void awaitEnd() {
        try {
            int turn = socket.getInputStream().read();
            if (turn >= 0) {
                throw new IllegalStateException("there is a turn that was not awaited");
            }
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /**
     * Gives turns to processes, once all of them are there: in one order in one round, and in the
     * other in the next. A process that waits for a turn when this ends, ends too.
     *
     * @param rounds how many turns each gets
     * @param patienceMillis for the start of a process as for a turn
     * @throws IOException if a process is gone, takes longer, or the door is closed before all came
     */
    public static void give(ServerSocket door, int processes, int rounds, int patienceMillis)
            throws IOException {
        List<Socket> sockets = new ArrayList<>();
        try {
            door.setSoTimeout(patienceMillis);
            for (int i = 0; i < processes; i++) {
                sockets.add(door.accept());
                sockets.getLast().setSoTimeout(patienceMillis);
            }
            for (int round = 0; round < rounds; round++) {
                for (Socket socket : round % 2 == 0 ? sockets : sockets.reversed()) {
                    pass(socket);
                    await(socket);
                }
            }
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    private static void pass(Socket socket) throws IOException {
        socket.getOutputStream().write(0);
    }

    private static void await(Socket socket) throws IOException {
        if (socket.getInputStream().read() < 0) {
            throw new IOException("the other process is gone");
        }
    }
}
