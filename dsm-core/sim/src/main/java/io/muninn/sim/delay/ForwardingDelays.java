package io.muninn.sim.delay;

/** Returns the delays of another object, except in overridden methods. */
public abstract class ForwardingDelays implements Delays {
    private final Delays others;

    protected ForwardingDelays(Delays others) {
        this.others = others;
    }

    @Override
    public long message(int from, int to, int bytes) {
        return others.message(from, to, bytes);
    }

    @Override
    public long transfer(int bytes) {
        return others.transfer(bytes);
    }

    @Override
    public long step(int node) {
        return others.step(node);
    }

    @Override
    public long pageBytes(int bytes) {
        return others.pageBytes(bytes);
    }

    @Override
    public long trap() {
        return others.trap();
    }

    @Override
    public long wake() {
        return others.wake();
    }

    @Override
    public long call() {
        return others.call();
    }

    @Override
    public long timer() {
        return others.timer();
    }

    @Override
    public long withdrawal() {
        return others.withdrawal();
    }

    @Override
    public boolean withdrawsAtOnce(int pages) {
        return others.withdrawsAtOnce(pages);
    }

    @Override
    public long operation() {
        return others.operation();
    }

    @Override
    public long loss() {
        return others.loss();
    }

    @Override
    public long send(int bytes) {
        return others.send(bytes);
    }

    @Override
    public long receive(int bytes) {
        return others.receive(bytes);
    }

    @Override
    public boolean trapsMakeTwins(int node) {
        return others.trapsMakeTwins(node);
    }

    @Override
    public boolean keepsPagesOfWaking() {
        return others.keepsPagesOfWaking();
    }

    @Override
    public boolean namesThreads() {
        return others.namesThreads();
    }

    @Override
    public boolean isEntryLong() {
        return others.isEntryLong();
    }

    @Override
    public boolean isInTrap() {
        return others.isInTrap();
    }

    @Override
    public boolean goesOnInStep(int node) {
        return others.goesOnInStep(node);
    }

    @Override
    public long occupancy(int bytes) {
        return others.occupancy(bytes);
    }

    @Override
    public boolean isWireShared() {
        return others.isWireShared();
    }

    @Override
    public boolean isProcessorShared() {
        return others.isProcessorShared();
    }
}
