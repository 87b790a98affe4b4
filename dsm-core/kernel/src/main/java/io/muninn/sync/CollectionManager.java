package io.muninn.sync;

import io.muninn.model.NodeId;
import io.muninn.spi.Effects;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.CollectionMessage.CollectBegin;
import io.muninn.sync.CollectionMessage.CollectDone;
import io.muninn.sync.CollectionMessage.CollectFree;
import io.muninn.sync.CollectionMessage.CollectHave;
import io.muninn.sync.CollectionMessage.CollectValidate;
import io.muninn.sync.CollectionMessage.CollectWanted;
import io.muninn.sync.CollectionMessage.Report;
import java.util.BitSet;
import java.util.function.Function;

/**
 * Collections of lazy data, on the root: one at a time, numbered from 1. The root gathers the list
 * of every node's intervals, sends each node the cargo that it lacks, and lets all nodes drop the
 * data when every node has validated.
 *
 * <pre>
 *            CollectWanted        CollectHave                        CollectDone
 * Idle       begin, →Gathering    impossible                         impossible
 * Gathering  ignore (1)           the last: validate, →Validating    impossible
 * Validating impossible (2)       impossible                         the last: free, →Idle
 *
 * (1) the sender has not begun: its CollectHave follows, and covers the data to be collected
 * (2) a node that takes part sends the request again when it drops the data, after the collection
 * </pre>
 *
 * A second reply of a node, or one of another collection, is impossible.
 */
public final class CollectionManager {
    private enum State {
        IDLE,
        GATHERING,
        VALIDATING
    }

    private final int nodes;
    private final CargoHold cargo;
    private State state = State.IDLE;
    private long number; // of the last collection; 0 before the first
    private final BitSet answered = new BitSet(); // nodes, in the current state
    private VectorTimestamp upTo; // covers the intervals that the replying nodes hold

    public CollectionManager(int nodes, CargoHold cargo) {
        this.nodes = nodes;
        this.cargo = cargo;
        this.upTo = VectorTimestamp.zero(nodes);
    }

    /** Processes a node's message, after its cargo has been deposited. */
    public void onReport(NodeId from, Report report, Effects out) {
        switch (report) {
            case CollectWanted wanted -> onCollectWanted(from, wanted, out);
            case CollectHave have -> onCollectHave(from, have, out);
            case CollectDone done -> onCollectDone(from, done, out);
        }
    }

    private void onCollectWanted(NodeId from, CollectWanted wanted, Effects out) {
        switch (state) {
            case IDLE -> {
                number++;
                upTo = VectorTimestamp.zero(nodes);
                become(State.GATHERING);
                sendAll(_ -> new CollectBegin(number), out);
            }
            case GATHERING -> {} // its have follows
            case VALIDATING -> throw violation(from, wanted);
        }
    }

    private void onCollectHave(NodeId from, CollectHave have, Effects out) {
        answer(State.GATHERING, from, have.number(), have);
        upTo = upTo.join(cargo.timestamp(have.cargo()));
        if (answered.cardinality() == nodes) {
            become(State.VALIDATING);
            sendAll(node -> new CollectValidate(number, cargo.onCollect(node, upTo, out)), out);
        }
    }

    private void onCollectDone(NodeId from, CollectDone done, Effects out) {
        answer(State.VALIDATING, from, done.number(), done);
        if (answered.cardinality() == nodes) {
            become(State.IDLE);
            out.count(NodeCounter.COLLECTIONS);
            sendAll(_ -> new CollectFree(number), out);
        }
    }

    private void answer(State needed, NodeId from, long ofNumber, Object message) {
        if (state != needed || ofNumber != number || answered.get(from.index())) {
            throw violation(from, message);
        }
        answered.set(from.index());
    }

    private void become(State next) {
        state = next;
        answered.clear();
    }

    private void sendAll(Function<NodeId, CollectionMessage> messages, Effects out) {
        for (int i = 0; i < nodes; i++) {
            NodeId node = NodeId.of(i);
            out.send(node, messages.apply(node));
        }
    }

    private ProtocolViolation violation(NodeId from, Object message) {
        return new ProtocolViolation(
                "collection="
                        + number
                        + " state="
                        + state
                        + " answered="
                        + answered
                        + " node="
                        + from
                        + " event="
                        + message);
    }
}
