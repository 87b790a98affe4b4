package io.muninn.protocols;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.protocol.Context;
import io.muninn.protocol.TwinRules;
import io.muninn.protocol.UpdateRules;
import java.util.List;

/** What a protocol sees of its node, as the test sets it. */
final class FakeContext implements Context {
    static final long HOLD_NANOS = 100;

    private final NodeId self;
    private final RegionSpec region;
    private long nowNanos = 1_000;
    private UpdateRules updates = UpdateRules.PLAIN;
    private TwinRules twins = TwinRules.DEFAULT;
    private boolean runOver;

    FakeContext(int self, Protocol protocol) {
        this(self, protocol, 16);
    }

    FakeContext(int self, Protocol protocol, int pages) {
        this.self = NodeId.of(self);
        this.region =
                new RegionSpec(
                        0,
                        "matrix",
                        protocol,
                        0,
                        (long) pages * RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        List.of());
    }

    RegionSpec region() {
        return region;
    }

    void passNanos(long nanos) {
        nowNanos += nanos;
    }

    void updates(UpdateRules rules) {
        updates = rules;
    }

    void twins(TwinRules rules) {
        twins = rules;
    }

    void endRun() {
        runOver = true;
    }

    @Override
    public NodeId self() {
        return self;
    }

    @Override
    public int nodes() {
        return NodeId.NODES_MAX;
    }

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public long holdNanos() {
        return HOLD_NANOS;
    }

    @Override
    public UpdateRules updates() {
        return updates;
    }

    @Override
    public TwinRules twins() {
        return twins;
    }

    @Override
    public boolean isRunOver() {
        return runOver;
    }

    @Override
    public RegionSpec region(PageId page) {
        return region;
    }
}
