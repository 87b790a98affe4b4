package io.muninn.agent;

import io.muninn.kernel.port.Timers;
import io.muninn.spi.TimerId;
import io.muninn.transport.AgentEventLoop;
import io.muninn.transport.Cancellable;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Runs the kernel's timers on the event loop. */
public final class LiveTimers implements Timers {
    private final AgentEventLoop loop;
    private final Consumer<TimerId> fired;
    private final Map<TimerId, Cancellable> armed = new HashMap<>();

    public LiveTimers(AgentEventLoop loop, Consumer<TimerId> fired) {
        this.loop = loop;
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
        }
    }
}
