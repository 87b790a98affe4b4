package io.muninn.verify.check;

import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Event.ReceiveCalled;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import io.muninn.sync.ProgramMessages;
import io.muninn.sync.SyncMessage;
import io.muninn.sync.SyncMessage.Letter;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The promises of {@link ProgramMessages} for letters:
 *
 * <ul>
 *   <li>letters with one tag between a pair of nodes are sent and received in the order of their
 *       calls, each once; programs use a tag between one pair of processes only
 *   <li>no thread waits for a letter that has arrived
 *   <li>only a single letter may exceed the window, and the credit that a receiver sends equals the
 *       bytes received
 *   <li>a sender that waits for credit is not forgotten: credit or its LetterStall is in transit,
 *       or the receiver has recorded the stall and owes no credit
 * </ul>
 */
final class Letters implements Checker {
    static final String NAME = "letters";

    private static final long LETTER_BYTES = 64; // beside the body

    /** A letter from its call to its receipt. */
    private record Sent(int tag, Bytes body) {
        long cost() {
            return LETTER_BYTES + body.length();
        }
    }

    /** The letters and the credit from one node to another. */
    private static final class Pair {
        final ArrayDeque<Sent> called = new ArrayDeque<>(); // not sent yet
        final ArrayDeque<Sent> underway = new ArrayDeque<>();
        final ArrayDeque<Sent> arrived = new ArrayDeque<>(); // not received yet
        long debtBytes; // known to the sender
        long owedBytes; // received, but not yet credited
        int credits; // under way
        int stalls; // in transit
        boolean isStalled; // the receiver was notified, and has sent no credit since
    }

    /** Of two nodes that have sent nothing to each other; it is not changed. */
    private static final Pair NONE = new Pair();

    private @Nullable Pair[][] pairs = {}; // by sender, then by receiver; null before the first use
    private @Nullable ReceiveCalled[][] receivers = {}; // by node and thread, or null
    private NodeThreads numbers = new NodeThreads(1, 1); // programs name processes
    private boolean isOver; // once a node is lost

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        int nodes = simulation.cluster().nodes();
        numbers = simulation.cluster().nodeThreads();
        pairs = new Pair[nodes][nodes];
        int threads = simulation.cluster().threads() + simulation.cluster().ownThreads();
        receivers = new ReceiveCalled[nodes][threads];
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        int at = node.id().index();
        isOver |= event instanceof Event.PeerLost;
        if (isOver) {
            return;
        }
        switch (event) {
            case Event.SendCalled(WaiterId _, NodeId to, int tag, Bytes body) ->
                    pair(at, numbers.nodeOf(to).index()).called.add(new Sent(tag, body));
            case ReceiveCalled call -> receivers[at][call.waiter().thread()] = call;
            case Event.MessageArrived(NodeId from, Letter _, long _) -> {
                Pair pair = pair(from.index(), at);
                pair.arrived.add(pair.underway.remove());
            }
            case Event.MessageArrived(NodeId from, SyncMessage.LetterCredit credit, long _) -> {
                Pair pair = pair(at, from.index());
                pair.credits--;
                pair.debtBytes -= credit.bytes();
            }
            case Event.MessageArrived(NodeId from, SyncMessage.LetterStall _, long _) -> {
                Pair pair = pair(from.index(), at);
                pair.stalls--;
                pair.isStalled = true;
            }
            default -> {} // about no letter
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        if (isOver) {
            return;
        }
        boolean isAbout = false;
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Send(NodeId to, Letter letter) -> onSent(node, to, letter);
                case Effect.Send(NodeId to, SyncMessage.LetterCredit credit) ->
                        onCredit(node, to, credit.bytes());
                case Effect.Send(NodeId to, SyncMessage.LetterStall _) ->
                        pair(node.id().index(), to.index()).stalls++;
                case Effect.ResumeWaiter(WaiterId waiter, Outcome outcome) ->
                        onResumed(node, waiter, outcome);
                default -> {
                    continue;
                }
            }
            isAbout = true;
        }
        if (isAbout || isAbout(event)) {
            check(node);
        }
    }

    private static boolean isAbout(Event event) {
        return event instanceof ReceiveCalled
                || event instanceof Event.MessageArrived(NodeId _, Letter _, long _)
                || event
                        instanceof
                        Event.MessageArrived(NodeId _, SyncMessage.LetterCredit _, long _)
                || event
                        instanceof
                        Event.MessageArrived(NodeId _, SyncMessage.LetterStall _, long _);
    }

    private void onSent(SimNode node, NodeId to, Letter letter) {
        Pair pair = pair(node.id().index(), to.index());
        Sent sent = takeOldest(pair.called, letter.tag(), letter.body());
        if (sent == null) {
            throw violation(
                    describe(node.id(), to, letter.tag())
                            + " leaves twice, uncalled, or before one that was called earlier");
        }
        pair.underway.add(sent);
        if (pair.debtBytes > 0 && pair.debtBytes + sent.cost() > ProgramMessages.WINDOW_BYTES) {
            throw violation(
                    describe(node.id(), to, letter.tag())
                            + " leaves though "
                            + pair.debtBytes
                            + " bytes are not received: with it more than "
                            + ProgramMessages.WINDOW_BYTES);
        }
        pair.debtBytes += sent.cost();
    }

    private void onCredit(SimNode node, NodeId to, long bytes) {
        Pair pair = pair(to.index(), node.id().index());
        if (bytes != pair.owedBytes) {
            throw violation(
                    "node "
                            + node.id()
                            + " has received "
                            + pair.owedBytes
                            + " bytes of node "
                            + to
                            + " since it said so last, and says "
                            + bytes);
        }
        pair.owedBytes = 0;
        pair.isStalled = false;
        pair.credits++;
    }

    private void onResumed(SimNode node, WaiterId waiter, Outcome outcome) {
        @Nullable ReceiveCalled[] ofNode = receivers[node.id().index()];
        ReceiveCalled call = waiter.thread() < ofNode.length ? ofNode[waiter.thread()] : null;
        if (call == null) {
            return;
        }
        ofNode[waiter.thread()] = null;
        if (outcome instanceof Outcome.Delivered(int from, Bytes body)) {
            onReceived(node, call, NodeId.of(from), body);
        }
    }

    private void onReceived(SimNode node, ReceiveCalled call, NodeId from, Bytes body) {
        NodeId sender = numbers.nodeOf(from);
        Pair pair = pair(sender.index(), node.id().index());
        boolean isOwn = sender.equals(node.id()); // sent and received within the node
        Sent sent = takeOldest(isOwn ? pair.called : pair.arrived, call.tag(), body);
        if (sent == null || call.from() != Event.ANY_NODE && call.from() != from.index()) {
            throw violation(
                    describe(from, node.id(), call.tag())
                            + " is received by "
                            + node.thread(call.waiter().thread())
                            + " twice, unsent, or before one that was sent earlier, by "
                            + call);
        }
        if (!isOwn) {
            pair.owedBytes += sent.cost();
        }
    }

    /**
     * Removes the oldest letter with a tag; returns null if it has another body, or there is none.
     */
    private static @Nullable Sent takeOldest(ArrayDeque<Sent> letters, int tag, Bytes body) {
        for (Iterator<Sent> each = letters.iterator(); each.hasNext(); ) {
            Sent letter = each.next();
            if (letter.tag() == tag) {
                each.remove();
                return letter.body().equals(body) ? letter : null;
            }
        }
        return null;
    }

    private void check(SimNode node) {
        int at = node.id().index();
        for (int i = 0; i < pairs.length; i++) {
            checkWaits(node, i, present(i, at));
            checkSender(node, i, present(at, i));
            checkSender(node.simulation().nodes().get(i), at, present(i, at));
        }
    }

    /** What is to be changed. */
    private Pair pair(int from, int to) {
        Pair pair = pairs[from][to];
        if (pair == null) {
            pair = new Pair();
            pairs[from][to] = pair;
        }
        return pair;
    }

    /** What is to be looked at only. */
    private Pair present(int from, int to) {
        Pair pair = pairs[from][to];
        return pair == null ? NONE : pair;
    }

    private void checkWaits(SimNode node, int from, Pair pair) {
        if (pair.arrived.isEmpty()) {
            return;
        }
        for (ReceiveCalled call : receivers[node.id().index()]) {
            if (call == null
                    || call.from() != Event.ANY_NODE
                            && numbers.nodeOf(NodeId.of(call.from())).index() != from
                    || node.view().letters().isAcquiring(call.waiter())) {
                continue;
            }
            int acquiring = node.view().letters().acquiring(NodeId.of(from), call.tag());
            for (Sent letter : pair.arrived) {
                if (letter.tag() == call.tag() && --acquiring < 0) {
                    throw violation(
                            node.thread(call.waiter().thread())
                                    + " waits, and "
                                    + describe(NodeId.of(from), node.id(), letter.tag())
                                    + " is there");
                }
            }
        }
    }

    /** Checks that a sender waits for credit for a reason, and that the receiver knows of it. */
    private void checkSender(SimNode node, int to, Pair pair) {
        if (pair.isStalled && pair.owedBytes > 0) {
            throw violation(
                    "node "
                            + to
                            + " knows that node "
                            + node.id()
                            + " waits for credit, and keeps that of "
                            + pair.owedBytes
                            + " bytes");
        }
        boolean isFull = node.view().letters().sendingState(NodeId.of(to)).equals("Full");
        if (isFull && pair.debtBytes == 0) {
            throw violation(
                    "node " + node.id() + " waits for credit of node " + to + ", and has it all");
        }
        if (isFull && pair.credits == 0 && pair.stalls == 0 && !pair.isStalled) {
            throw violation(
                    "node "
                            + node.id()
                            + " waits for credit of node "
                            + to
                            + ", which does not know it");
        }
    }

    private static String describe(NodeId from, NodeId to, int tag) {
        return "a letter of node " + from + " to node " + to + " with tag " + tag;
    }
}
