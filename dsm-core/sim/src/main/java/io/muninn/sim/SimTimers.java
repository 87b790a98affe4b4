package io.muninn.sim;

import io.muninn.kernel.port.Timers;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjLongConsumer;

/** The timers of one simulated node, and the threads for which some of them may fire early. */
final class SimTimers implements Timers {
    private static final long EARLY = 0;

    private final Simulation simulation;
    private final IntUnaryOperator calls;
    private final ObjLongConsumer<TimerId> arrives;
    private final Map<TimerId, Long> armed = new LinkedHashMap<>(); // the number of each arming
    private final Map<TimerId, List<ThreadMark>> watched = new LinkedHashMap<>(); // armed ones
    private long armings;

    /**
     * @param calls the number of calls that a thread has entered
     * @param arrives called when a timer has expired, or may fire early; the number is for {@link
     *     #take}
     */
    SimTimers(Simulation simulation, IntUnaryOperator calls, ObjLongConsumer<TimerId> arrives) {
        this.simulation = simulation;
        this.calls = calls;
        this.arrives = arrives;
    }

    @Override
    public void arm(TimerId timer, long delayNanos) {
        long number = ++armings;
        armed.put(timer, number);
        watched.remove(timer);
        long boundedNanos = Math.min(delayNanos, Agenda.DELAY_NANOS_MAX);
        simulation.after(
                boundedNanos + simulation.delays().timer(), () -> arrives.accept(timer, number));
    }

    /** True if a timer will fire. */
    boolean isArmed(TimerId timer) {
        return armed.containsKey(timer);
    }

    @Override
    public void cancel(TimerId timer) {
        armed.remove(timer);
        watched.remove(timer);
    }

    @Override
    public boolean watch(TimerId timer, List<ThreadMark> threads) {
        if (ThreadMark.areBehind(threads, calls)) {
            cancel(timer);
            return true;
        }
        watched.put(timer, threads);
        return false;
    }

    /**
     * Whether an arrived timer fires, and has not been cancelled or armed again; disarms it then.
     */
    boolean take(TimerId timer, long number) {
        boolean fires =
                number == EARLY ? isDue(timer) : Long.valueOf(number).equals(armed.get(timer));
        if (fires) {
            cancel(timer);
        }
        return fires;
    }

    private boolean isDue(TimerId timer) {
        List<ThreadMark> threads = watched.get(timer);
        return threads != null && ThreadMark.areBehind(threads, calls);
    }

    /** A thread has entered a call: timers that watch it may fire after a delay. */
    void onCallEntered() {
        if (watched.values().stream().anyMatch(each -> ThreadMark.areBehind(each, calls))) {
            simulation.after(simulation.delays().call(), this::fireEarly);
        }
    }

    private void fireEarly() {
        watched.keySet().stream()
                .filter(this::isDue)
                .toList()
                .forEach(timer -> arrives.accept(timer, EARLY));
    }
}
