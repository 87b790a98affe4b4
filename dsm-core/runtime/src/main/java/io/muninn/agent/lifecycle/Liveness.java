package io.muninn.agent.lifecycle;

import io.muninn.nativefault.FaultEngine;
import io.muninn.transport.AgentEventLoop;
import io.muninn.transport.Cancellable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;

/**
 * Are the launcher and the application alive? Looked at five times per heartbeat limit. Silence is
 * counted in looks and not by the clock, so an agent that was itself stopped blames nobody.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class Liveness {
    static final int LOOKS_PER_LIMIT = 5;

    private static final int STANDARD_INPUT = 0;

    /** Who is told. */
    interface Owner {
        /**
         * @param how as in "the launcher is gone"
         */
        void onLauncherGone(String how);

        /**
         * @param how as in "its application is stopped"
         */
        void onApplicationSilent(String how);
    }

    private final Owner owner;
    private final long limitMillis;
    private Cancellable launcher = () -> {};
    private boolean launched;
    private int launcherSilence;
    private int applicationSilence;

    Liveness(Duration heartbeatLimit, Owner owner) {
        this.owner = owner;
        this.limitMillis = heartbeatLimit.toMillis();
    }

    /** Watches the launcher's pipe, which is standard input. */
    Cancellable watchLauncher(AgentEventLoop loop) {
        launched = true;
        launcher = loop.register(STANDARD_INPUT, this::onLauncher);
        return launcher;
    }

    /** A byte five times per heartbeat limit, or the end. */
    private void onLauncher() {
        try {
            InputStream pipe = System.in;
            int waiting = pipe.available();
            if (waiting > 0) {
                pipe.readNBytes(waiting);
                launcherSilence = 0;
            } else if (pipe.read() < 0) {
                launcherGone("is gone");
            }
        } catch (IOException broken) {
            launcherGone("is gone: " + broken.getMessage());
        }
    }

    private void launcherGone(String how) {
        launched = false;
        launcher.cancel(); // the end of a pipe is reported for ever
        owner.onLauncherGone(how);
    }

    void onPong() {
        applicationSilence = 0;
    }

    /**
     * Looks.
     *
     * @param engine empty while the application has not handed over its memory: it answers no ping
     *     yet
     */
    void look(ApplicationProcess application, Optional<FaultEngine> engine) {
        if (launched) {
            launcherSilence++;
            if (launcherSilence > LOOKS_PER_LIMIT + 1) {
                launcherGone("has been silent for too long");
                return;
            }
        }
        if (!application.isAlive()) {
            return; // its exit status tells
        }
        if (engine.isEmpty()) {
            applicationSilence = application.isStopped() ? applicationSilence + 1 : 0;
            if (applicationSilence > LOOKS_PER_LIMIT) {
                owner.onApplicationSilent("has been stopped for " + limitMillis + " ms");
            }
            return;
        }
        if (applicationSilence > LOOKS_PER_LIMIT) {
            owner.onApplicationSilent(
                    "does not answer for " + limitMillis + " ms: it is stopped or stuck");
            return;
        }
        applicationSilence++;
        engine.get().ping();
    }
}
