package io.muninn.sim;

/** Work stations of one processor each, without chance. */
final class StationDelays extends ForwardingDelays {
    private final MachineModel model;
    private final SharedWire wire;
    private final boolean isWireShared;

    /**
     * @param wire that all share, or one like it for each link
     */
    StationDelays(MachineModel model, SharedWire wire, boolean isWireShared) {
        super(Delays.exact(model));
        this.model = model;
        this.wire = wire;
        this.isWireShared = isWireShared;
    }

    @Override
    public long message(int from, int to, int bytes) {
        return model.latencyNanos() + transfer(bytes);
    }

    @Override
    public long transfer(int bytes) {
        long carried = bytes + (long) wire.packets(bytes) * wire.headerBytes();
        return MachineModel.nanos(carried, model.bytePicos());
    }

    @Override
    public long send(int bytes) {
        return model.messageNanos() + wire.packets(bytes) * wire.packetNanos();
    }

    @Override
    public long receive(int bytes) {
        return send(bytes);
    }

    @Override
    public boolean isWireShared() {
        return isWireShared;
    }

    @Override
    public boolean isProcessorShared() {
        return true;
    }

    /** Of any event; what a message costs is in {@link #send} and {@link #receive}. */
    @Override
    public long step(int node) {
        return model.stepNanos();
    }
}
