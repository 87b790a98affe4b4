package io.muninn.verify.check;

import io.muninn.model.MappingId;
import io.muninn.model.NodeThreads;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import io.muninn.sync.ShippedCalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A process has at most {@link ShippedCalls#POSTED_MAX} incomplete posted calls. A caller waits
 * only while their number has reached this limit.
 */
final class PostedCalls implements Checker {
    static final String NAME = "posted calls";

    private final List<Set<Integer>> callers = new ArrayList<>(); // by process: threads that post
    private int[] posted = {}; // by process, as programs name it
    private NodeThreads threads = new NodeThreads(1, 1); // of each node
    private boolean isOver; // once a node is lost

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        threads = simulation.cluster().nodeThreads();
        posted = new int[simulation.nodes().size() * threads.processes()];
        Arrays.stream(posted).forEach(_ -> callers.add(new TreeSet<>()));
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        switch (event) {
            case Event.PostCalled call ->
                    callers.get(process(node, call.waiter())).add(call.waiter().thread());
            case Event.PeerLost _ -> isOver = true;
            default -> {} // posts nothing
        }
    }

    private int process(SimNode node, WaiterId waiter) {
        return threads.seen(node.id(), threads.processOf(waiter.thread())).index();
    }

    @Override
    public void onStepped(SimNode node, Event event, List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.ResumeWaiter(WaiterId waiter, Outcome outcome)) {
                int at = process(node, waiter);
                if (outcome instanceof Outcome.Completed) {
                    posted[at]--;
                } else if (callers.get(at).remove(waiter.thread())) {
                    posted[at]++;
                }
            }
        }
        for (MappingId process : threads.allProcesses()) {
            check(node, process);
        }
    }

    private void check(SimNode node, MappingId process) {
        int at = threads.seen(node.id(), process).index();
        int waiting = callers.get(at).size();
        boolean isFull = posted[at] >= ShippedCalls.POSTED_MAX;
        if (!isOver && (posted[at] > ShippedCalls.POSTED_MAX || waiting > 0 && !isFull)) {
            throw violation(
                    "process "
                            + process
                            + " of node "
                            + node.id()
                            + " has "
                            + posted[at]
                            + " posted calls under way, and "
                            + waiting
                            + " callers wait");
        }
    }
}
