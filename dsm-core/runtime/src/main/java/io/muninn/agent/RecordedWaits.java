package io.muninn.agent;

import io.muninn.agent.calls.CallRouter;
import io.muninn.agent.memory.FaultTimes;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.PageId;
import io.muninn.report.NodeReport;
import io.muninn.report.Wait;
import io.muninn.report.WaitEvents;
import io.muninn.report.WaitKind;
import io.muninn.report.WaitMeters;
import io.muninn.report.WaitRecorder;
import io.muninn.spi.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * Tells those who want it of each wait of a node's threads: the recorder of a page for a browser,
 * the meters, and the events of the Flight Recorder. Without any, it only passes the sums of stops
 * on.
 *
 * <p><b>Threads.</b> The agent's event loop.
 */
final class RecordedWaits implements FaultTimes.Listener, CallRouter.Listener {
    private final FaultTimes.Listener sums;
    private final List<Consumer<Wait>> all = new ArrayList<>(); // but the recorder
    private final Optional<WaitMeters> meters;
    private final Optional<WaitRecorder> recorder;

    /**
     * @param meters of the node, if it serves any
     * @param regions the node's regions by index
     * @param sums receives the sums of stops at pages
     */
    RecordedWaits(
            AgentConfig config,
            Optional<WaitMeters> meters,
            IntFunction<RegionSpec> regions,
            FaultTimes.Listener sums) {
        this.sums = sums;
        this.meters = meters;
        recorder =
                config.output()
                        .page()
                        .map(_ ->
                                new WaitRecorder(
                                        WaitRecorder.Limits.of(
                                                config.nodes(), config.nodeThreads().count()),
                                        System.nanoTime()));
        meters.ifPresent(each -> {
            each.use(regions);
            all.add(each);
        });
        if (config.output().events().isPresent()) {
            all.add(new WaitEvents(config.self().index(), regions));
        }
    }

    /** True if the waits are recorded for a page, which shows every page of memory, too. */
    boolean isRecorded() {
        return recorder.isPresent();
    }

    /** The run starts. */
    void start() {
        recorder.ifPresent(of -> of.start(System.nanoTime()));
    }

    /** Adds what was recorded to a report. */
    NodeReport addTo(NodeReport report) {
        return recorder.map(of -> report.with(of.timeLine(System.nanoTime()))).orElse(report);
    }

    @Override
    public void onStopped(PageId page, long loadNanos, long storeNanos) {
        sums.onStopped(page, loadNanos, storeNanos);
    }

    @Override
    public boolean wantsStops() {
        return recorder.isPresent() || !all.isEmpty();
    }

    @Override
    public void onStopping(boolean isStore) {
        if (meters.isPresent()) {
            meters.get().begin(isStore ? WaitKind.STORE : WaitKind.LOAD);
        }
    }

    @Override
    public void onStop(int thread, PageId page, boolean isStore, long beginNanos, long endNanos) {
        if (recorder.isPresent()) {
            WaitKind kind = isStore ? WaitKind.STORE : WaitKind.LOAD;
            recorder.get().atPage(thread, kind, page, beginNanos, endNanos);
        }
        if (!all.isEmpty()) {
            tell(Wait.atPage(thread, page, isStore, beginNanos, endNanos));
        }
    }

    @Override
    public void onBegun(Event.Waiting call) {
        if (meters.isPresent()) { // without a lambda: every call passes here
            meters.get().begin(WaitKind.of(call));
        }
    }

    @Override
    public void onAnswered(Event.Waiting call, long beginNanos, long endNanos) {
        if (recorder.isPresent()) {
            int thread = call.waiter().thread();
            String about = Wait.about(call);
            recorder.get().inCall(thread, WaitKind.of(call), about, beginNanos, endNanos);
        }
        if (!all.isEmpty()) {
            tell(Wait.inCall(call, beginNanos, endNanos));
        }
    }

    @Override
    public void onStored(PageId page, String line, int times) {
        recorder.ifPresent(of -> of.storedAt(page, line, times));
    }

    private void tell(Wait wait) {
        for (Consumer<Wait> each : all) {
            each.accept(wait);
        }
    }
}
