package io.muninn.verify.check;

import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.TimerId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * An armed timer is not armed again. Otherwise its event could be delayed for ever. The exception
 * is a page's hold time, which begins again when the page returns.
 */
final class Timers implements Checker {
    static final String NAME = "timers";

    private final List<Set<TimerId>> armed = new ArrayList<>(); // by node

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        simulation.nodes().forEach(_ -> armed.add(new LinkedHashSet<>()));
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.TimerFired(TimerId timer, long _)) {
            armed.get(node.id().index()).remove(timer);
        }
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        Set<TimerId> ofNode = armed.get(node.id().index());
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.ArmTimer(TimerId.HoldOver _, long _) -> {}
                case Effect.ArmTimer(TimerId timer, long _) -> {
                    if (!ofNode.add(timer)) {
                        throw violation("node " + node.id() + " arms " + timer + " twice");
                    }
                }
                case Effect.CancelTimer(TimerId timer) -> ofNode.remove(timer);
                default -> {} // about no timer
            }
        }
    }
}
