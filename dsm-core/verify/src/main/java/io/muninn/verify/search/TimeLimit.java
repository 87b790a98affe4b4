package io.muninn.verify.search;

import io.muninn.sim.Observer;
import io.muninn.sim.RunEndedException;
import io.muninn.sim.SimNode;
import io.muninn.spi.Event;

/**
 * A time that begins with the construction. It ends the runs that it observes when it is over, so
 * that a long run does not outlast it.
 *
 * <p><b>Threads.</b> Any, several runs at a time.
 */
final class TimeLimit implements Observer {
    private final long startNanos = System.nanoTime();
    private final long limitNanos;

    /**
     * @param limitNanos {@link Long#MAX_VALUE} for no limit
     */
    TimeLimit(long limitNanos) {
        this.limitNanos = limitNanos;
    }

    /** Time since the construction. */
    long elapsedNanos() {
        return System.nanoTime() - startNanos;
    }

    boolean isOver() {
        return elapsedNanos() >= limitNanos;
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (isOver()) {
            throw new RunEndedException("the time is over");
        }
    }
}
