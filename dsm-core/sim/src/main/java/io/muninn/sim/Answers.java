package io.muninn.sim;

import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import org.jspecify.annotations.Nullable;

/** Notifies observers of the answers to a thread's calls. */
final class Answers {
    private Answers() {}

    /**
     * Notifies observers of an answer. A thread acquires when its agent answers; it may wake up
     * later.
     *
     * @param call that is answered; null if there was none
     * @param stoppedNanos since when the thread waits
     */
    static void tell(
            SimThread thread, Event.@Nullable Waiting call, Outcome answer, long stoppedNanos) {
        Simulation simulation = thread.simulation();
        boolean done = answer instanceof Outcome.Done;
        switch (call) {
            case Event.AcquireCalled(_, LockId lock, _) -> {
                if (done) {
                    simulation.syncWaits().onAcquired(thread, lock, stoppedNanos);
                    thread.tellAcquired(lock);
                }
            }
            case Event.LocalAcquireCalled(_, LockId lock, _) -> {
                if (done) {
                    thread.tellAcquired(lock);
                }
            }
            case Event.PermissionCalled request -> {
                if (done) {
                    thread.permissions().begin(request.lock(), request.toWrite());
                }
            }
            case Event.LocalReadCalled entered -> {
                if (done) {
                    thread.permissions().begin(entered.lock(), false);
                }
            }
            case Event.BarrierReached(_, BarrierId barrier, _, _, _) -> {
                if (done || answer instanceof Outcome.Delivered) {
                    simulation.observers().forEach(observer -> observer.onDepart(thread, barrier));
                } else {
                    simulation.syncWaits().onLeft(thread, barrier);
                    simulation
                            .observers()
                            .forEach(observer -> observer.onBarrierLeft(thread, barrier));
                }
            }
            case null, default -> {}
        }
    }
}
