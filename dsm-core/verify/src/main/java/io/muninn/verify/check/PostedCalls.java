package io.muninn.verify.check;

import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import io.muninn.sync.ShippedCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A node has at most {@link ShippedCalls#POSTED_MAX} incomplete posted calls. A caller waits only
 * while their number has reached this limit.
 */
final class PostedCalls implements Checker {
    static final String NAME = "posted calls";

    private final List<Set<Integer>> callers = new ArrayList<>(); // by node: threads that post
    private int[] posted = {}; // by node
    private boolean isOver; // once a node is lost

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        posted = new int[simulation.nodes().size()];
        simulation.nodes().forEach(_ -> callers.add(new TreeSet<>()));
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        switch (event) {
            case Event.PostCalled call ->
                    callers.get(node.id().index()).add(call.waiter().thread());
            case Event.PeerLost _ -> isOver = true;
            default -> {} // posts nothing
        }
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        int at = node.id().index();
        for (Effect effect : effects) {
            if (effect instanceof Effect.ResumeWaiter(WaiterId waiter, Outcome outcome)) {
                if (outcome instanceof Outcome.Completed) {
                    posted[at]--;
                } else if (callers.get(at).remove(waiter.thread())) {
                    posted[at]++;
                }
            }
        }
        int waiting = callers.get(at).size();
        boolean isFull = posted[at] >= ShippedCalls.POSTED_MAX;
        if (!isOver && (posted[at] > ShippedCalls.POSTED_MAX || waiting > 0 && !isFull)) {
            throw violation(
                    "node "
                            + node.id()
                            + " has "
                            + posted[at]
                            + " posted calls under way, and "
                            + waiting
                            + " callers wait");
        }
    }
}
