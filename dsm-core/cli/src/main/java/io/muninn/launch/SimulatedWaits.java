package io.muninn.launch;

import io.muninn.link.ProgramPlace;
import io.muninn.model.PageId;
import io.muninn.report.TimeLine;
import io.muninn.report.Wait;
import io.muninn.report.WaitRecorder;
import io.muninn.sim.Observer;
import io.muninn.sim.SimThread;
import io.muninn.spi.Event;
import java.util.ArrayList;
import java.util.List;

/** Records what simulated threads wait for, in virtual time, and the lines that store. */
final class SimulatedWaits implements Observer {
    private final List<WaitRecorder> recorders = new ArrayList<>(); // by node
    private long endNanos;

    /**
     * @param threads of each node
     */
    SimulatedWaits(int nodes, int threads) {
        for (int i = 0; i < nodes; i++) {
            recorders.add(new WaitRecorder(WaitRecorder.Limits.of(nodes, threads), 0));
        }
    }

    @Override
    public void onPageWaited(
            SimThread thread, PageId page, boolean isStore, long beginNanos, long endNanos) {
        add(thread, Wait.atPage(thread.id().thread(), page, isStore, beginNanos, endNanos));
    }

    @Override
    public void onCallWaited(SimThread thread, Event.Waiting call, long beginNanos, long endNanos) {
        add(thread, Wait.inCall(call, beginNanos, endNanos));
    }

    @Override
    public void onFirstStore(SimThread thread, PageId page) {
        WaitRecorder recorder = recorders.get(thread.node().id().index());
        ProgramPlace.ofThisThread().ifPresent(line -> recorder.storedAt(page, line, 1));
    }

    private void add(SimThread thread, Wait wait) {
        recorders.get(thread.node().id().index()).accept(wait);
        endNanos = Math.max(endNanos, wait.endNanos());
    }

    /** Everything that a node's threads have waited for. */
    TimeLine timeLine(int node) {
        return recorders.get(node).timeLine(endNanos);
    }
}
