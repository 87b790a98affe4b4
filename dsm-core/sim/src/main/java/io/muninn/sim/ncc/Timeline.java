package io.muninn.sim.ncc;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The processors in order of their time. One runs until its time is a quantum beyond that of the
 * next; before it uses what others use, too, it lets all earlier ones run.
 *
 * <p><b>Threads.</b> The one that runs the simulation, and the processor that has the turn.
 */
final class Timeline {
    private final PriorityQueue<NccProcessor> ready = new PriorityQueue<>();
    private final int quantum;
    private @Nullable NccProcessor running; // null between turns
    private volatile boolean isStopped;

    Timeline(int quantum) {
        this.quantum = quantum;
    }

    /** Runs all processors until none is ready, or {@link #stop} is called. */
    void run() {
        while (!isStopped) {
            NccProcessor next = ready.poll();
            if (next == null) {
                return;
            }
            next.takeStolen();
            next.limit(limit());
            running = next;
            next.resume();
            running = null;
        }
    }

    /** Ends {@link #run} when the running processor stops. */
    void stop() {
        isStopped = true;
    }

    /** The processor that has the turn; null if none has. */
    @Nullable NccProcessor running() {
        return running;
    }

    private long limit() {
        NccProcessor other = ready.peek();
        return other == null ? Long.MAX_VALUE : other.now() + quantum;
    }

    /** Makes a processor ready. */
    void add(NccProcessor processor) {
        ready.add(processor);
    }

    /** Makes a processor that waits ready, while another runs. */
    void wake(NccProcessor waiter, NccProcessor by) {
        ready.add(waiter);
        by.limit(Math.min(by.limit(), waiter.now() + quantum));
    }

    /** Lets the other processors run that are behind. */
    void pause(NccProcessor running) {
        ready.add(running);
        running.suspend();
    }

    /** Returns when no ready processor is more than {@code slack} cycles behind. */
    void settle(NccProcessor running, int slack) {
        while (true) {
            NccProcessor other = ready.peek();
            if (other == null || other.now() >= running.now() - slack) {
                return;
            }
            pause(running);
        }
    }
}
