package io.muninn.transport.loop;

import java.util.concurrent.TimeUnit;

/**
 * A limit of a wait for another process, in time during which this process runs. It is divided into
 * parts, each of which begins when the previous one has ended. A process that is stopped and
 * continued sees one part end too late, and waits for the others as usual: it does not conclude
 * from its own stop that others were silent. A stop of any length therefore takes at most one part
 * from the wait.
 */
final class Patience implements Cancellable {
    /** Smallest number of parts of a limit. */
    static final int PARTS_MIN = 5;

    /** Longest part. */
    static final long PART_NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    /** Runs a task once, no earlier than after the delay. */
    interface Timer {
        Cancellable schedule(long delayNanos, Runnable task);
    }

    private final Timer timer;
    private final Runnable task;
    private final long partNanos;
    private long left;
    private Cancellable part;

    /**
     * Begins to wait.
     *
     * @param task runs at the end, unless this is cancelled
     */
    Patience(Timer timer, long nanos, Runnable task) {
        this.timer = timer;
        this.task = task;
        left = Math.max(PARTS_MIN, Math.ceilDiv(nanos, PART_NANOS_MAX));
        partNanos = Math.ceilDiv(nanos, left);
        part = timer.schedule(partNanos, this::onPartOver);
    }

    private void onPartOver() {
        left--;
        if (left > 0) {
            part = timer.schedule(partNanos, this::onPartOver);
        } else {
            task.run();
        }
    }

    @Override
    public void cancel() {
        part.cancel();
    }
}
