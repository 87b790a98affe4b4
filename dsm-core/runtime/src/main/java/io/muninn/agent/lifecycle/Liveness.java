package io.muninn.agent.lifecycle;

import io.muninn.agent.LauncherPipe;
import io.muninn.nativefault.FaultEngine;
import io.muninn.transport.AgentEventLoop;
import io.muninn.transport.Cancellable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * Checks five times per heartbeat limit whether the launcher and the application are alive. Silence
 * is counted in checks and not by the clock, so an agent that was itself stopped loses nobody.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class Liveness {
    static final int LOOKS_PER_LIMIT = 5;

    /** Receives the results. */
    interface Owner {
        /**
         * The launcher has ended, or sends no heartbeats.
         *
         * @param how as in "the launcher is gone"
         */
        void onLauncherGone(String how);

        /** Another node has failed; perhaps this one still waits for it. */
        void onRunFailed();

        /**
         * The application is stopped, or does not answer.
         *
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

    /**
     * Watches the launcher's pipe.
     *
     * @throws IOException if there is none
     */
    Cancellable watchLauncher(AgentEventLoop loop) throws IOException {
        launched = true;
        InputStream pipe = LauncherPipe.open();
        launcher = loop.register(LauncherPipe.DESCRIPTOR, () -> onLauncher(pipe));
        return launcher;
    }

    /** A byte five times per heartbeat limit, the failure of another node, or the end. */
    private void onLauncher(InputStream pipe) {
        try {
            int waiting = pipe.available();
            if (waiting > 0) {
                byte[] bytes = pipe.readNBytes(waiting);
                launcherSilence = 0;
                for (byte received : bytes) {
                    if (received == LauncherPipe.RUN_FAILED) {
                        owner.onRunFailed();
                    }
                }
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

    /** Checks the launcher, and an application that does not answer pings yet. */
    void look(ApplicationProcess application) {
        if (lookAtLauncher() && application.isAlive()) {
            applicationSilence = application.isStopped() ? applicationSilence + 1 : 0;
            if (applicationSilence > LOOKS_PER_LIMIT) {
                owner.onApplicationSilent("has been stopped for " + limitMillis + " ms");
            }
        }
    }

    /** Checks the launcher, and an application that answers the pings of this engine. */
    void look(ApplicationProcess application, FaultEngine engine) {
        if (!lookAtLauncher() || !application.isAlive()) {
            return; // the exit status of the application follows
        }
        if (applicationSilence > LOOKS_PER_LIMIT) {
            owner.onApplicationSilent(
                    "does not answer for " + limitMillis + " ms: it is stopped or stuck");
            return;
        }
        applicationSilence++;
        engine.ping();
    }

    /** Returns false if the launcher was found silent, and reports that. */
    private boolean lookAtLauncher() {
        if (!launched) {
            return true;
        }
        launcherSilence++;
        if (launcherSilence <= LOOKS_PER_LIMIT + 1) {
            return true;
        }
        launcherGone("has been silent for too long");
        return false;
    }
}
