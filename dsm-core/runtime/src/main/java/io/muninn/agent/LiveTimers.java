package io.muninn.agent;

import io.muninn.ipc.ControlMemory;
import io.muninn.kernel.port.Timers;
import io.muninn.spi.ThreadMark;
import io.muninn.spi.TimerId;
import io.muninn.transport.loop.AgentEventLoop;
import io.muninn.transport.loop.Cancellable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs the kernel's timers on the event loop. */
public final class LiveTimers implements Timers {
    private final AgentEventLoop loop;
    private final ControlMemory control;
    private final Consumer<TimerId> fired;
    private final Map<TimerId, Cancellable> armed = new HashMap<>();
    private final Map<TimerId, List<ThreadMark>> watched = new HashMap<>(); // armed ones

    /**
     * @param control contains the call counts of threads
     */
    public LiveTimers(AgentEventLoop loop, ControlMemory control, Consumer<TimerId> fired) {
        this.loop = loop;
        this.control = control;
        this.fired = fired;
    }

    @Override
    public void arm(TimerId timer, long delayNanos) {
        cancel(timer);
        armed.put(
                timer,
                loop.schedule(
                        delayNanos,
                        () -> {
                            armed.remove(timer);
                            watched.remove(timer);
                            fired.accept(timer);
                        }));
    }

    @Override
    public void cancel(TimerId timer) {
        if (armed.isEmpty()) { // the usual case: waits without a limit arm no timer
            return;
        }
        Cancellable before = armed.remove(timer);
        if (before != null) {
            before.cancel();
            watched.remove(timer);
        }
    }

    @Override
    public boolean watch(TimerId timer, List<ThreadMark> threads) {
        if (!ThreadMark.areBehind(threads, control::calls)) {
            watched.put(timer, threads);
            threads.stream()
                    .filter(ThreadMark::isKnown)
                    .forEach(mark -> control.watchThread(mark.thread()));
            if (!ThreadMark.areBehind(threads, control::calls)) { // since they were watched
                return false;
            }
        }
        cancel(timer);
        return true;
    }

    /**
     * Fires the timers whose watched threads have all entered a call; called when a thread has
     * entered one.
     */
    public void onCallEntered() {
        if (watched.isEmpty()) {
            return;
        }
        List<TimerId> due =
                watched.entrySet().stream()
                        .filter(each -> ThreadMark.areBehind(each.getValue(), control::calls))
                        .map(Map.Entry::getKey)
                        .toList();
        for (TimerId timer : due) {
            if (watched.containsKey(timer)) { // unless an earlier timer has cancelled it
                cancel(timer);
                fired.accept(timer);
            }
        }
    }
}
