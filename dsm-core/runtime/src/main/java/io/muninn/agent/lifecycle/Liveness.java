package io.muninn.agent.lifecycle;

import java.time.Duration;

/**
 * Checks five times per heartbeat limit whether an application process is alive. Silence is counted
 * in checks and not by the clock, so an agent that was itself stopped does not lose its
 * application.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class Liveness {
    static final int LOOKS_PER_LIMIT = 5;

    /** Receives the results. */
    interface Owner {
        /**
         * The application is stopped, or does not answer.
         *
         * @param how as in "its application is stopped"
         */
        void onApplicationSilent(String how);
    }

    private final Owner owner;
    private final long limitMillis;
    private int applicationSilence;

    Liveness(Duration heartbeatLimit, Owner owner) {
        this.owner = owner;
        this.limitMillis = heartbeatLimit.toMillis();
    }

    void onPong() {
        applicationSilence = 0;
    }

    /** Checks an application that does not answer pings yet. */
    void look(ApplicationProcess application) {
        if (application.isAlive()) {
            applicationSilence = application.isStopped() ? applicationSilence + 1 : 0;
            if (applicationSilence > LOOKS_PER_LIMIT) {
                owner.onApplicationSilent("has been stopped for " + limitMillis + " ms");
            }
        }
    }

    /**
     * Checks an application that answers pings.
     *
     * @param ping sends one
     */
    void look(ApplicationProcess application, Runnable ping) {
        if (!application.isAlive()) {
            return; // the exit status of the application follows
        }
        if (applicationSilence > LOOKS_PER_LIMIT) {
            owner.onApplicationSilent(
                    "does not answer for " + limitMillis + " ms: it is stopped or stuck");
            return;
        }
        applicationSilence++;
        ping.run();
    }
}
