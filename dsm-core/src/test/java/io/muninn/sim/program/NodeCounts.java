package io.muninn.sim.program;

import io.muninn.protocol.Counter;
import io.muninn.protocol.Effect;
import io.muninn.protocol.Event;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import java.util.List;

/** Adds up what all nodes of a run count. */
final class NodeCounts implements Observer {
    private final long[] of = new long[Counter.values().length];

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.Count(Counter counter, long amount)) {
                of[counter.code()] += amount;
            }
        }
    }

    long of(Counter counter) {
        return of[counter.code()];
    }
}
