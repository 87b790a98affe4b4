package io.muninn.sim;

import io.muninn.kernel.port.Timers;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjLongConsumer;

/** The timers of one pretended node, and the threads for which some of them may fire early. */
final class SimTimers implements Timers {
    private final Simulation simulation;
    private final IntUnaryOperator calls;
    private final ObjLongConsumer<TimerId> arrives;
    private final Map<TimerId, Long> armed = new LinkedHashMap<>(); // which time each was armed
    private final Map<TimerId, List<ThreadMark>> watched = new LinkedHashMap<>(); // armed ones
    private long armings;

    /**
     * @param calls how many calls a thread has entered
     * @param arrives a timer has run down; the number says for which {@link #arm} of all
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
        simulation.after(
                delayNanos + simulation.delays().timer(), () -> arrives.accept(timer, number));
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

    /** Whether a timer that has run down is still armed so; it is not any more. */
    boolean take(TimerId timer, long number) {
        boolean isArmed = armed.remove(timer, number);
        if (isArmed) {
            watched.remove(timer);
        }
        return isArmed;
    }

    /** A thread has entered a call: timers that waited for it may fire after a while. */
    void onCallEntered() {
        if (watched.values().stream().anyMatch(each -> ThreadMark.areBehind(each, calls))) {
            simulation.after(simulation.delays().call(), this::fireEarly);
        }
    }

    private void fireEarly() {
        List<TimerId> due =
                watched.entrySet().stream()
                        .filter(each -> ThreadMark.areBehind(each.getValue(), calls))
                        .map(Map.Entry::getKey)
                        .toList();
        for (TimerId timer : due) {
            watched.remove(timer);
            arrives.accept(timer, Objects.requireNonNull(armed.get(timer)));
        }
    }
}
