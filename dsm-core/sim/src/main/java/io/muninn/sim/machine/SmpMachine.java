package io.muninn.sim.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The hardware of a cluster of nodes with several processors, for one run. Each thread of a program
 * has a processor. What threads access, {@link ProcessorCaches} sees; what nodes send, {@link
 * #send} carries; what handlers cost, the other methods say, in picoseconds.
 *
 * <p>Source: Bilas, Iftode, Samanta and Singh, "Supporting a coherent shared address space across
 * SMP nodes", section 4.
 *
 * <p><b>Threads.</b> The one that runs the simulation.
 */
public final class SmpMachine {
    private final SmpModel model;
    private final HandlerPolicy policy;
    private final boolean updates;
    private final List<NodeMachine> nodes = new ArrayList<>();
    private final PacketNetwork network;
    private final Clock clock;
    private final Random chance;
    private final int[] turns; // by node, for round-robin

    /**
     * @param updates whether stores to pages with another home leave as automatic updates
     * @param processors of each node that run a thread, at least 1
     * @param seed of the choices by chance
     */
    public SmpMachine(
            SmpModel model,
            HandlerPolicy policy,
            boolean updates,
            int nodes,
            int processors,
            long seed,
            Clock clock) {
        this.model = model;
        this.policy = policy;
        this.updates = updates;
        this.clock = clock;
        for (int i = 0; i < nodes; i++) {
            this.nodes.add(new NodeMachine(model, i, processors));
        }
        network = new PacketNetwork(model, nodes, clock);
        chance = new Random(seed);
        turns = new int[nodes];
    }

    public SmpModel model() {
        return model;
    }

    public HandlerPolicy policy() {
        return policy;
    }

    /** Whether stores to pages with another home leave as automatic updates. */
    public boolean hasUpdates() {
        return updates;
    }

    public NodeMachine node(int index) {
        return nodes.get(index);
    }

    /** Sends a message; the action runs when its last byte is in the receiver's memory. */
    public void send(int from, int to, int bytes, Runnable arrived) {
        network.send(nodes.get(from), nodes.get(to), bytes, false, arrived);
    }

    /** Sends stores that hardware has seen, after all earlier messages of their sender. */
    public void sendUpdate(int from, int to, int bytes, Runnable arrived) {
        nodes.get(from).countUpdate(bytes);
        network.send(nodes.get(from), nodes.get(to), bytes, true, arrived);
    }

    /** The processor's work to send a message, and its wait for room in the queue. */
    public long sendPicos(int from) {
        long wait = network.roomInPicos(nodes.get(from));
        return picos(model.handlers().sendCycles()) + wait;
    }

    private long picos(long cycles) {
        return cycles * model.cyclePicos();
    }

    /** How long a handler of a node takes to copy memory now. */
    public long copyPicos(int node, int bytes) {
        return nodes.get(node).copyPicos(clock, bytes);
    }

    /** The next processor of a node by turns. */
    public int turn(int node, int processors) {
        int turn = turns[node];
        turns[node] = (turn + 1) % processors;
        return turn;
    }

    /** A processor by chance. */
    public int any(int processors) {
        return chance.nextInt(processors);
    }
}
