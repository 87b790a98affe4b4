package io.muninn.apps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
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

    /** The message of a process at the end of its turn. */
    public static final int MORE = 0;

    public static final int LAST = 1;

    private final Socket socket;

    /**
     * Connects to who gives turns.
     *
     * @param port on this machine
     * @throws UncheckedIOException if no process gives turns
     */
    public Turns(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
        } catch (IOException cause) {
            throw new UncheckedIOException("nobody gives turns at port " + port, cause);
        }
    }

    /** Whether the environment of this process says that turns are taken. */
    public static boolean areTaken() {
        return System.getenv(PORT) != null;
    }

    /** Of a process whose environment says so; empty for others, whose turn it always is. */
    public static Optional<Turns> ofEnvironment() {
        return Optional.ofNullable(System.getenv(PORT)).map(Integer::parseInt).map(Turns::new);
    }

    /**
     * Waits until it is this process's turn.
     *
     * @throws UncheckedIOException if the process that gives turns has ended
     */
    public void await() {
        try {
            if (socket.getInputStream().read() < 0) {
                throw new IOException("nobody gives turns any more");
            }
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    /**
     * Ends this process's turn.
     *
     * @throws UncheckedIOException if the process that gives turns has ended
     */
    public void pass() {
        say(MORE);
    }

    /**
     * Ends this process's last turn, where it alone knows how many it takes, and {@linkplain
     * #awaitEnd waits} for those of others.
     *
     * @throws UncheckedIOException if the process that gives turns has ended
     */
    public void passLast() {
        say(LAST);
        awaitEnd();
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

    /** Ends a turn. */
    private void say(int end) {
        try {
            socket.getOutputStream().write(end);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
