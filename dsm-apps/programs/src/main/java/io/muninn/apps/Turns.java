package io.muninn.apps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Optional;

/**
 * The client of a turn giver. Processes whose times are compared take turns: one runs and the
 * others wait. So a temporary slowdown of the machine affects all of them alike.
 *
 * <p><b>Threads.</b> One at a time.
 */
public final class Turns implements AutoCloseable {
    /** The environment variable with the TCP port of the turn giver on this machine. */
    public static final String PORT = "MUNINN_TURNS";

    /** The message of a process at the end of a turn that is not its last. */
    public static final int MORE = 0;

    public static final int LAST = 1;

    private final Socket socket;

    /**
     * Connects to a turn giver.
     *
     * @param port TCP port on this machine
     * @throws UncheckedIOException if the connection fails
     */
    public Turns(int port) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
        } catch (IOException cause) {
            throw new UncheckedIOException("nobody gives turns at port " + port, cause);
        }
    }

    /** Whether the environment of this process requests turns. */
    public static boolean areTaken() {
        return System.getenv(PORT) != null;
    }

    /**
     * Connects to the turn giver of the environment; empty if the environment does not request
     * turns.
     */
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
     * Ends this process's last turn, and {@linkplain #awaitEnd waits} for the turns of other
     * processes. For processes whose number of turns the turn giver does not know.
     *
     * @throws UncheckedIOException if the process that gives turns has ended
     */
    public void passLast() {
        say(LAST);
        awaitEnd();
    }

    /**
     * Waits until all processes have had their turns, or the turn giver has ended. Without this
     * wait a process would run during the turns of others.
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

    /** Ends a turn with a message. */
    private void say(int end) {
        try {
            socket.getOutputStream().write(end);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
