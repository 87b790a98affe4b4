package io.muninn.transport.join;

import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of joining, which each progress restarts, and the times at which progress is
 * reported.
 *
 * <p><b>Threads.</b> The event loop.
 */
final class JoinClock {
    private static final int TOLD_PER_TIMEOUT = 12;
    private static final long TOLD_NANOS_MIN = 1_000_000_000; // a line has whole seconds

    private final AgentEventLoop loop;
    private final Duration timeout;
    private final Runnable onTimeout;
    private int most; // largest number of nodes connected or ready at once
    private long startNanos;
    private @Nullable Cancellable deadline; // null if there is none
    private @Nullable Cancellable nextProgress; // null if progress is not reported

    JoinClock(AgentEventLoop loop, Duration timeout, Runnable onTimeout) {
        this.loop = loop;
        this.timeout = timeout;
        this.onTimeout = onTimeout;
    }

    void start() {
        startNanos = System.nanoTime();
        arm(timeout);
    }

    /** Whole seconds since the start. */
    long seconds() {
        return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    }

    /** Sets a new deadline. */
    void arm(Duration limit) {
        disarm();
        deadline = loop.patience(limit.toNanos(), onTimeout);
    }

    void disarm() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    /** A new maximum of progress restarts the deadline. */
    void noteProgress(int now) {
        if (now > most) {
            most = now;
            arm(timeout);
        }
    }

    /** Calls back periodically, until the end. */
    void tellProgress(Runnable tell) {
        long share = timeout.toNanos() / TOLD_PER_TIMEOUT;
        nextProgress =
                loop.schedule(
                        Math.max(share, TOLD_NANOS_MIN),
                        () -> {
                            tell.run();
                            if (nextProgress != null) {
                                tellProgress(tell);
                            }
                        });
    }

    void stop() {
        disarm();
        if (nextProgress != null) {
            nextProgress.cancel();
            nextProgress = null;
        }
    }

    /** As in "30 s". */
    String limitText() {
        return timeout.toMillis() % 1000 == 0
                ? timeout.toSeconds() + " s"
                : timeout.toMillis() + " ms";
    }
}
