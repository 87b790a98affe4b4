package io.muninn.sim;

import io.muninn.kernel.StepObserver;
import io.muninn.model.PageId;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.wire.WireMessage;

/** Passes reports of a node's kernel within its steps to the simulation's observers. */
record WithinSteps(SimNode node, Simulation simulation) implements StepObserver {
    @Override
    public void onAcquirePerformed(GatedAcquire acquire) {
        for (Observer observer : simulation.observers(Observers.Call.ACQUIRE_PERFORMED)) {
            observer.onAcquirePerformed(node, acquire);
        }
    }

    @Override
    public void onReleasePerformed(GatedRelease release) {
        for (Observer observer : simulation.observers(Observers.Call.RELEASE_PERFORMED)) {
            observer.onReleasePerformed(node, release);
        }
    }

    @Override
    public void onOwnMessage(WireMessage message) {
        for (Observer observer : simulation.observers(Observers.Call.OWN_MESSAGE)) {
            observer.onOwnMessage(node, message);
        }
    }

    @Override
    public void onPageEvent(PageId page, String event) {
        for (Observer observer : simulation.observers(Observers.Call.PAGE_EVENT)) {
            observer.onPageEvent(node, page, event);
        }
    }
}
