package io.muninn.sim;

import io.muninn.spi.Event;
import io.muninn.spi.TimerId;
import java.util.ArrayDeque;

/** Events that wait for a node's agent, which handles them one after another. */
final class Lane {
    /** No processor of a thread. */
    static final int NO_PROCESSOR = -1;

    private static final long NO_TIMER = -1;

    /**
     * An event that waits.
     *
     * @param timer number for {@link SimTimers#take}, if it is one
     * @param bytes size of the message; 0 if the event is none
     * @param arrivalNanos how long its arrival has interrupted a thread
     */
    record Arrived(Event event, long timer, int bytes, long arrivalNanos) {
        static Arrived of(Event event) {
            return new Arrived(event, NO_TIMER, 0, 0);
        }

        static Arrived message(Event event, int bytes, long arrivalNanos) {
            return new Arrived(event, NO_TIMER, bytes, arrivalNanos);
        }

        static Arrived timer(TimerId timer, long number) {
            return new Arrived(new Event.TimerFired(timer, 0), number, 0, 0);
        }

        /** False for a timer that was cancelled or armed again. */
        boolean isDue(SimTimers timers) {
            return timer == NO_TIMER || timers.take(((Event.TimerFired) event).timer(), timer);
        }
    }

    private final int processor;
    private final ArrayDeque<Arrived> events = new ArrayDeque<>();
    private boolean isServing;

    /**
     * @param processor of the thread whose events these are; {@link #NO_PROCESSOR} for events of
     *     all threads, messages and timers
     */
    Lane(int processor) {
        this.processor = processor;
    }

    int processor() {
        return processor;
    }

    /** The waiting events, oldest first. */
    ArrayDeque<Arrived> events() {
        return events;
    }

    /** True while the agent works on the first event. */
    boolean isServing() {
        return isServing;
    }

    void serving(boolean now) {
        isServing = now;
    }
}
