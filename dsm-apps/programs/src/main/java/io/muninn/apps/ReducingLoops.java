package io.muninn.apps;

import static io.muninn.api.None.NONE;

import io.muninn.api.Domain;
import io.muninn.api.DoubleArray;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.Home;
import io.muninn.api.Loop;
import io.muninn.api.LoopProgram;
import io.muninn.api.None;
import io.muninn.api.Part;
import io.muninn.api.Protocol;
import io.muninn.api.Schedule;
import io.muninn.api.SharedVariable;
import io.muninn.api.Team;
import java.util.function.DoubleBinaryOperator;

/**
 * A program of parallel loops one of which reduces. For comparison, it can also reduce without
 * reductions on barriers: each thread combines its value with a shared variable under a lock.
 *
 * <p>Source: Keleher and Tseng, "Enhancing Software DSM for Compiler-Parallelized Applications",
 * section 3.1.2 and Table 3.
 */
public abstract class ReducingLoops implements LoopProgram {
    private static final String TOTAL = "reduction.total";

    private final boolean isLocked;
    private final DoubleBinaryOperator operator;
    private final double nothing;
    private final Loop<None, None> combine = Loop.parts(None.class, (_, part) -> combine(part));

    /**
     * The shared variable. Each thread of the version with locks allocates it under the same name.
     */
    private volatile DoubleArray total = DoubleArray.of(1);

    /**
     * @param nothing identity element of the operator
     */
    protected ReducingLoops(LoopSize size, DoubleBinaryOperator operator, double nothing) {
        this.isLocked = size.isLocked();
        this.operator = operator;
        this.nothing = nothing;
    }

    /** The loop that reduces. */
    protected abstract Loop<None, Double> reducing();

    /** The sequential part. */
    protected abstract void steps(Team team);

    @Override
    public final void run(DsmNode node) throws Exception {
        if (isLocked) {
            total = node.allocate(TOTAL, DoubleArray.of(1), Protocol.LAZY);
        }
        LoopProgram.super.run(node);
    }

    @Override
    public final void run(Team team) {
        steps(isLocked ? new LockingTeam(team) : team);
    }

    private void combine(Part part) {
        double value = reducing().run(NONE, part);
        DsmLock lock = part.node().lock(TOTAL);
        lock.lock();
        try {
            total.set(0, operator.applyAsDouble(total.get(0), value));
        } finally {
            lock.unlock();
        }
    }

    /** A team whose reductions combine values in the shared variable. */
    private final class LockingTeam implements Team {
        private final Team team;

        LockingTeam(Team team) {
            this.team = team;
        }

        @Override
        public DsmNode node() {
            return team.node();
        }

        @Override
        public <P> void forEach(
                Domain domain, Schedule schedule, Loop<P, None> loop, P parameters) {
            team.forEach(domain, schedule, loop, parameters);
        }

        @Override
        public <P> void wavefront(Domain domain, Loop<P, None> loop, P parameters) {
            team.wavefront(domain, loop, parameters);
        }

        @Override
        public <V extends SharedVariable> V allocate(
                String field, V shape, Protocol protocol, Home home) {
            return team.allocate(field, shape, protocol, home);
        }

        @Override
        public void seal(String field) {
            team.seal(field);
        }

        @Override
        public void nowait(Runnable loops) {
            team.nowait(loops);
        }

        /** Runs the program's reducing loop under the lock. Other loops reduce on the barrier. */
        @Override
        public <P, T> T reduce(Domain domain, Schedule schedule, Loop<P, T> loop, P parameters) {
            Loop<None, Double> mine = reducing();
            if (loop != mine) {
                return team.reduce(domain, schedule, loop, parameters);
            }
            total.set(0, nothing);
            team.forEach(domain, schedule, combine, NONE);
            return cast(total.get(0));
        }

        @SuppressWarnings("unchecked") // the loop that reduces has this result
        private static <T> T cast(Double value) {
            return (T) value;
        }
    }
}
