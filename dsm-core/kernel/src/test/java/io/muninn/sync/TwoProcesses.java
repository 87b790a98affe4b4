package io.muninn.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.ViewMark;
import java.util.ArrayList;
import java.util.List;

/** The views of two processes of a node, and the acquires that have begun within the node. */
final class TwoProcesses implements ProcessViews {
    static final VectorTimestamp NOTHING = VectorTimestamp.zero(3);

    private record Begun(GatedAcquire acquire, VectorTimestamp until) {}

    private final VectorTimestamp[] views = {NOTHING, NOTHING};
    private final List<Begun> begun = new ArrayList<>();

    /** A process has seen the intervals of node 2 up to this one. */
    static VectorTimestamp seen(long interval) {
        return NOTHING.with(NodeId.of(2), interval);
    }

    void acquires(MappingId process, long interval) {
        views[process.index()] = seen(interval);
    }

    @Override
    public boolean areSeveral() {
        return true;
    }

    @Override
    public VectorTimestamp of(MappingId process) {
        return process.equals(MappingId.ALL) ? views[0].join(views[1]) : views[process.index()];
    }

    @Override
    public boolean covers(MappingId process, VectorTimestamp until) {
        return process.equals(MappingId.ALL)
                ? views[0].covers(until) && views[1].covers(until)
                : of(process).covers(until);
    }

    @Override
    public ViewMark mark(MappingId process) {
        return new ViewMark(process, of(process).of(NodeId.of(2)));
    }

    @Override
    public void begin(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        begun.add(new Begun(acquire, until));
    }

    void expectBegun(GatedAcquire acquire, VectorTimestamp until) {
        assertEquals(List.of(new Begun(acquire, until)), begun);
        begun.clear();
    }
}
