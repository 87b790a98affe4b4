package io.muninn.verify.check;

import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.ForwardingDelays;
import io.muninn.sim.delay.MachineModel;
import java.util.Random;

/**
 * Random delays of a machine, each between zero and twice its usual value. A thread's wake-up time
 * is constant, because it must be shorter than the hold time of pages. Some messages take much
 * longer.
 */
final class Jitter extends ForwardingDelays {
    private final Random random;
    private final long wakeNanos;

    private Jitter(Delays exact, Random random, long wakeNanos) {
        super(exact);
        this.random = random;
        this.wakeNanos = wakeNanos;
    }

    static Delays of(long seed) {
        MachineModel machine = Mixes.machine(seed);
        return new Jitter(Delays.exact(machine), new Random(seed), machine.wakeNanos());
    }

    private long any(long nanos) {
        return nanos == 0 ? 0 : random.nextLong(2 * nanos);
    }

    @Override
    public long message(int from, int to, int bytes) {
        long nanos = any(super.message(from, to, bytes));
        return random.nextInt(16) == 0 ? 20 * nanos : nanos;
    }

    @Override
    public long step(int node) {
        return any(super.step(node));
    }

    @Override
    public long trap() {
        return any(super.trap());
    }

    @Override
    public long wake() {
        return wakeNanos;
    }

    @Override
    public long call() {
        return any(super.call());
    }

    @Override
    public long timer() {
        return any(super.timer());
    }

    @Override
    public long withdrawal() {
        return any(super.withdrawal());
    }

    @Override
    public long operation() {
        return any(super.operation());
    }
}
