package io.muninn.coherence;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Context;
import io.muninn.spi.Hosts;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.UpdateRules;
import java.util.List;

/** A protocol's view of its node, with values set by the test. */
public final class FakeContext implements Context {
    public static final long HOLD_NANOS = 100;

    private final NodeId self;
    private final int nodes;
    private final RegionSpec region;
    private final LogicalClock clock;
    private final NodeThreads threads;
    private long nowNanos = 1_000;
    private UpdateRules updates = UpdateRules.PLAIN;
    private AdaptiveTwinRules twins = AdaptiveTwinRules.DEFAULT;
    private Hosts hosts = Hosts.one(NodeId.LIVE_MAX);
    private boolean threadsRun;
    private boolean runOver;

    public FakeContext(int self, Protocol protocol) {
        this(self, protocol, 16);
    }

    public FakeContext(int self, Protocol protocol, int pages) {
        this(self, protocol, pages, Home.BANDED);
    }

    public FakeContext(int self, Protocol protocol, int pages, Home home) {
        this(self, protocol, pages, home, 1);
    }

    /** On a node with some number of processes of one thread. */
    public FakeContext(int self, Protocol protocol, int pages, Home home, int processes) {
        this(self, protocol, pages, home, processes, NodeId.LIVE_MAX);
    }

    /** In a cluster of some number of nodes. */
    public FakeContext(
            int self, Protocol protocol, int pages, Home home, int processes, int nodes) {
        this.self = NodeId.of(self);
        this.nodes = nodes;
        this.threads = new NodeThreads(processes, 1);
        this.clock = new LogicalClock(this.self, nodes(), processes);
        this.region =
                new RegionSpec(
                        0,
                        "matrix",
                        protocol,
                        0,
                        (long) pages * RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        home,
                        List.of());
    }

    public RegionSpec region() {
        return region;
    }

    public void passNanos(long nanos) {
        nowNanos += nanos;
    }

    public void updates(UpdateRules rules) {
        updates = rules;
    }

    public void twins(AdaptiveTwinRules rules) {
        twins = rules;
    }

    public void hosts(Hosts met) {
        hosts = met;
    }

    /** From now on, some thread of the node runs. */
    public void letThreadsRun() {
        threadsRun = true;
    }

    public void endRun() {
        runOver = true;
    }

    @Override
    public NodeId self() {
        return self;
    }

    @Override
    public int nodes() {
        return nodes;
    }

    @Override
    public NodeThreads threads() {
        return threads;
    }

    @Override
    public Hosts hosts() {
        return hosts;
    }

    @Override
    public LogicalClock clock() {
        return clock;
    }

    @Override
    public boolean hasRunningThreads() {
        return threadsRun;
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
    public AdaptiveTwinRules twins() {
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
