package io.muninn.agent.lifecycle;

import io.muninn.agent.LauncherPipe;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * Checks five times per heartbeat limit whether the launcher is alive. Silence is counted in checks
 * and not by the clock, so an agent that was itself stopped does not lose its launcher.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class LauncherWatch {
    /** Receives the results. */
    interface Owner {
        /**
         * The launcher has ended, or sends no heartbeats. Called once, as the last call.
         *
         * @param how as in "the launcher is gone"
         */
        void onLauncherGone(String how);

        /** The launcher is told to end. */
        void onInterrupted();

        /** The user wants to see all waits. */
        void onWaitsWanted();

        /** A node of another agent has failed; a node of this agent may still wait for it. */
        void onRunFailed();
    }

    private final AgentEventLoop loop;
    private final long lookNanos;
    private final Owner owner;
    private final InputStream pipe;
    private final Cancellable readable;
    private boolean over;
    private int silence;

    /**
     * Starts to watch the launcher's pipe.
     *
     * @throws IOException if there is no pipe
     */
    LauncherWatch(AgentEventLoop loop, Duration heartbeatLimit, Owner owner) throws IOException {
        this.loop = loop;
        this.owner = owner;
        lookNanos = heartbeatLimit.toNanos() / Liveness.LOOKS_PER_LIMIT;
        pipe = LauncherPipe.open();
        readable = loop.register(LauncherPipe.DESCRIPTOR, this::onReadable);
        loop.schedule(lookNanos, this::look);
    }

    /**
     * Reads the pipe: a byte five times per heartbeat limit, the failure of another node, a wish of
     * the user, or the end.
     */
    private void onReadable() {
        try {
            int waiting = pipe.available();
            if (waiting > 0) {
                byte[] bytes = pipe.readNBytes(waiting);
                silence = 0;
                for (byte received : bytes) {
                    switch (received) {
                        case LauncherPipe.RUN_FAILED -> owner.onRunFailed();
                        case LauncherPipe.INTERRUPTED -> owner.onInterrupted();
                        case LauncherPipe.SHOW_WAITS -> owner.onWaitsWanted();
                        default -> {} // a heartbeat
                    }
                }
            } else if (pipe.read() < 0) {
                gone("is gone");
            }
        } catch (IOException broken) {
            gone("is gone: " + broken.getMessage());
        }
    }

    private void look() {
        if (over) {
            return;
        }
        silence++;
        if (silence > Liveness.LOOKS_PER_LIMIT + 1) {
            gone("has been silent for too long");
        } else {
            loop.schedule(lookNanos, this::look);
        }
    }

    private void gone(String how) {
        close();
        owner.onLauncherGone(how);
    }

    void close() {
        if (!over) {
            over = true;
            readable.cancel(); // the end of a pipe is reported for ever
        }
    }
}
