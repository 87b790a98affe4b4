package io.muninn.sync;

import io.muninn.model.NodeId;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.ProtocolViolation;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.CollectionMessage.CollectBegin;
import io.muninn.sync.CollectionMessage.CollectDone;
import io.muninn.sync.CollectionMessage.CollectFree;
import io.muninn.sync.CollectionMessage.CollectHave;
import io.muninn.sync.CollectionMessage.CollectValidate;
import io.muninn.sync.CollectionMessage.CollectWanted;
import io.muninn.sync.CollectionMessage.Order;

/**
 * The part of one node in collections of lazy data: requests a collection from the root when its
 * protocols keep more than a bound, and drops the data that every node has. It uses no barrier:
 * threads continue to run, and locks, arrivals and calls are processed meanwhile. Stores after the
 * node's release belong to the next collection.
 *
 * <p>A collection is a release of every node, so that the covered data is complete: the diffs of an
 * interval are made and its notices known before the node reports that it has them.
 *
 * <p>Source: the garbage collection of Keleher, Cox, Dwarkadas, Zwaenepoel, TreadMarks, 1994.
 * Departure: there, nodes collect at a barrier.
 *
 * <pre>
 *            too much kept (1)   CollectBegin          release performed
 * Idle       ask, →Asked         release, →Releasing   impossible
 * Asked      –                   release, →Releasing   impossible
 * Releasing  –                   impossible            send have, →Gathered (2)
 * Gathered   –                   impossible            impossible
 * Validating –                   impossible            impossible
 * Validated  –                   impossible            impossible
 *
 *            CollectValidate             protocols performed      CollectFree
 * Idle       impossible                  impossible               impossible
 * Asked      impossible                  impossible               impossible
 * Releasing  impossible                  impossible               impossible
 * Gathered   validate, →Validating (3)   impossible               impossible
 * Validating impossible                  send done, →Validated    impossible
 * Validated  impossible                  impossible               drop, →Idle (4)
 *
 * (1) after any step. A collection frees everything that is counted, except data stored or received
 *     meanwhile
 * (2) with the cargo that the root lacks. Intervals that end after the release began are not
 *     covered
 * (3) the cargo that the node lacked was attached: it holds all that is collected from now on, even
 *     if a request that it sent before states less
 * (4) if too much is still kept, a collection is requested again after this step
 * </pre>
 *
 * Messages of another collection are impossible: the root begins the next one after every node has
 * reported that it is done. After the loss of a node no message is stepped, so a pending collection
 * does not continue.
 */
public final class CollectionPart {
    enum State {
        IDLE("Idle"),
        ASKED("Asked"),
        RELEASING("Releasing"),
        GATHERED("Gathered"),
        VALIDATING("Validating"),
        VALIDATED("Validated");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    private final long bytesMax;
    private final Releases releases;
    private final CargoHold cargo;
    private final LazyData data;
    private State state = State.IDLE;
    private long number; // of the last collection that has begun; 0 before the first
    private VectorTimestamp upTo; // covers the last collection that was validated here
    private int partsLeft; // protocols that have not validated
    private long bytesMost;

    /**
     * @param nodes of the cluster
     * @param bytesMax lazy data above which a collection is requested
     */
    public CollectionPart(
            int nodes, long bytesMax, Releases releases, CargoHold cargo, LazyData data) {
        this.bytesMax = bytesMax;
        this.releases = releases;
        this.cargo = cargo;
        this.data = data;
        this.upTo = VectorTimestamp.zero(nodes);
    }

    /**
     * Called after a step.
     *
     * @param bytes of lazy data that the protocols keep now
     */
    public void onKept(long bytes, Effects out) {
        if (bytes > bytesMost) {
            out.count(NodeCounter.LAZY_BYTES_MOST, bytes - bytesMost);
            bytesMost = bytes;
        }
        if (state == State.IDLE && bytes > bytesMax) {
            state = State.ASKED;
            out.send(NodeId.ROOT, CollectWanted.INSTANCE);
        }
    }

    /** Processes the root's message, after its cargo has been deposited. */
    public void onOrder(Order order, Effects out) {
        switch (order) {
            case CollectBegin begin -> onCollectBegin(begin, out);
            case CollectValidate validate -> onCollectValidate(validate, out);
            case CollectFree free -> onCollectFree(free, out);
        }
    }

    private void onCollectBegin(CollectBegin begin, Effects out) {
        if (state != State.IDLE && state != State.ASKED) {
            throw violation(begin);
        }
        state = State.RELEASING;
        number = begin.number();
        releases.begin(new GatedRelease.Collection(number), out);
    }

    /**
     * Reports to the root: everything stored before the collection is in ended intervals, with
     * their diffs.
     */
    public void onReleasePerformed(GatedRelease.Collection release, Effects out) {
        require(State.RELEASING, release.number(), release);
        state = State.GATHERED;
        out.send(NodeId.ROOT, new CollectHave(number, cargo.onHave(out)));
    }

    private void onCollectValidate(CollectValidate validate, Effects out) {
        require(State.GATHERED, validate.number(), validate);
        state = State.VALIDATING;
        upTo = cargo.timestamp(validate.cargo());
        partsLeft = data.parts();
        data.onCollect(number, upTo, out);
    }

    /** Records that one protocol has validated. */
    public void onPartPerformed(long ofNumber, Effects out) {
        require(State.VALIDATING, ofNumber, "collectPerformed");
        partsLeft--;
        if (partsLeft == 0) {
            state = State.VALIDATED;
            out.send(NodeId.ROOT, new CollectDone(number));
        }
    }

    private void onCollectFree(CollectFree free, Effects out) {
        require(State.VALIDATED, free.number(), free);
        state = State.IDLE;
        data.onCollected(upTo, out);
    }

    /** The state of this node, by its name in the table above. */
    public String state() {
        return state.word;
    }

    private void require(State needed, long ofNumber, Object event) {
        if (state != needed || ofNumber != number) {
            throw violation(event);
        }
    }

    private ProtocolViolation violation(Object event) {
        return new ProtocolViolation(
                "collection=" + number + " state=" + state.word + " event=" + event);
    }
}
