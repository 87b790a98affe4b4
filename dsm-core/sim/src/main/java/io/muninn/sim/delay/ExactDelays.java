package io.muninn.sim.delay;

/** Delays without chance. */
record ExactDelays(MachineModel model, boolean isProcessorShared) implements Delays {
    private static final long LOSS_NANOS = 1_000_000;

    @Override
    public long message(int from, int to, int bytes) {
        return model.latencyNanos() + transfer(bytes);
    }

    @Override
    public long transfer(int bytes) {
        return MachineModel.nanos(bytes, model.bytePicos());
    }

    @Override
    public long step(int node) {
        return model.stepNanos() + model.messageNanos();
    }

    @Override
    public long pageBytes(int bytes) {
        return MachineModel.nanos(bytes, model.pageBytePicos());
    }

    @Override
    public long trap() {
        return model.trapNanos();
    }

    @Override
    public long wake() {
        return model.wakeNanos();
    }

    @Override
    public long call() {
        return model.callNanos();
    }

    @Override
    public long timer() {
        return 0;
    }

    @Override
    public long withdrawal() {
        return model.callNanos();
    }

    @Override
    public long operation() {
        return model.stepNanos();
    }

    @Override
    public long loss() {
        return LOSS_NANOS;
    }
}
