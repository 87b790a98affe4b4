package io.muninn.sim.delay;

/** Delays of workstations with one processor each, without chance. */
final class StationDelays extends ForwardingDelays {
    private final MachineModel model;
    private final SharedWire wire;
    private final Wiring wiring;

    /** Which wires exist. */
    enum Wiring {
        /** One for all. */
        ONE,
        /** For each node, to the switch and from it. */
        PORTS,
        /** For each link. */
        LINKS
    }

    /**
     * @param wire properties of every wire
     */
    StationDelays(MachineModel model, SharedWire wire, Wiring wiring) {
        super(Delays.exact(model));
        this.model = model;
        this.wire = wire;
        this.wiring = wiring;
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
    public long occupancy(int bytes) {
        return wire.packets(bytes) * wire.interfaceNanos();
    }

    @Override
    public boolean isWireShared() {
        return wiring == Wiring.ONE;
    }

    @Override
    public boolean arePortsShared() {
        return wiring == Wiring.PORTS;
    }

    @Override
    public boolean isProcessorShared() {
        return true;
    }

    /** The work for any event; a message also costs {@link #send} and {@link #receive}. */
    @Override
    public long step(int node) {
        return model.stepNanos();
    }
}
