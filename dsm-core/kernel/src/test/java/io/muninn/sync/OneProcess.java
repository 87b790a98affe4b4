package io.muninn.sync;

import io.muninn.model.MappingId;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.ViewMark;

/** The view of a node with one process, whose threads have all seen the same. */
final class OneProcess implements ProcessViews {
    @Override
    public boolean areSeveral() {
        return false;
    }

    @Override
    public VectorTimestamp of(MappingId process) {
        return VectorTimestamp.zero(4);
    }

    @Override
    public boolean covers(MappingId process, VectorTimestamp until) {
        return true;
    }

    @Override
    public ViewMark mark(MappingId process) {
        throw new AssertionError("nothing is marked");
    }

    @Override
    public void begin(GatedAcquire acquire, VectorTimestamp until, Effects out) {
        throw new AssertionError("nothing is acquired from a sibling");
    }
}
