package io.muninn.sim;

/** Work stations of one processor each, on one wire, without chance. */
record StationDelays(MachineModel model, SharedWire wire, Delays exact) implements Delays {
    StationDelays(MachineModel model, SharedWire wire) {
        this(model, wire, Delays.exact(model));
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
        return true;
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

    @Override
    public long pageBytes(int bytes) {
        return exact.pageBytes(bytes);
    }

    @Override
    public long trap() {
        return exact.trap();
    }

    @Override
    public long wake() {
        return exact.wake();
    }

    @Override
    public long call() {
        return exact.call();
    }

    @Override
    public long timer() {
        return exact.timer();
    }

    @Override
    public long withdrawal() {
        return exact.withdrawal();
    }

    @Override
    public long operation() {
        return exact.operation();
    }

    @Override
    public long loss() {
        return exact.loss();
    }
}
