package io.muninn.sync;

import static io.muninn.sync.Acts.send;
import static io.muninn.sync.FakeCargoHold.stamped;

import io.muninn.kernel.Counted;
import io.muninn.model.NodeId;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.VectorTimestamp;
import io.muninn.sync.CollectionMessage.CollectBegin;
import io.muninn.sync.CollectionMessage.CollectDone;
import io.muninn.sync.CollectionMessage.CollectFree;
import io.muninn.sync.CollectionMessage.CollectHave;
import io.muninn.sync.CollectionMessage.CollectValidate;
import io.muninn.sync.CollectionMessage.CollectWanted;
import io.muninn.sync.CollectionMessage.Report;
import org.junit.jupiter.api.Test;

/** Every cell of the table of {@link CollectionManager}, with three nodes. */
class CollectionManagerTest {
    private static final int NODES = 3;
    private static final VectorTimestamp ZERO = VectorTimestamp.zero(NODES);

    private final Acts acts = new Acts();
    private final CollectionManager manager = new CollectionManager(NODES, acts.cargo);

    private void report(int from, Report report) {
        manager.onReport(NodeId.of(from), report, acts.out);
    }

    private void want(int from) {
        report(from, CollectWanted.INSTANCE);
    }

    /** A node holds intervals up to these of nodes 0, 1 and 2. */
    private void have(int from, long number, long... intervals) {
        report(from, new CollectHave(number, stamped(timestamp(intervals), "have")));
    }

    private void done(int from, long number) {
        report(from, new CollectDone(number));
    }

    private static VectorTimestamp timestamp(long... intervals) {
        VectorTimestamp timestamp = ZERO;
        for (int i = 0; i < intervals.length; i++) {
            timestamp = timestamp.with(NodeId.of(i), intervals[i]);
        }
        return timestamp;
    }

    private static Object[] begin(long number) {
        return new Object[] {
            send(0, new CollectBegin(number)),
            send(1, new CollectBegin(number)),
            send(2, new CollectBegin(number))
        };
    }

    private static CollectValidate validate(int to, long number, long... intervals) {
        return new CollectValidate(number, stamped(timestamp(intervals), "collected for " + to));
    }

    private void gather() {
        want(1);
        acts.quietly();
    }

    private void validate() {
        gather();
        for (int i = 0; i < NODES; i++) {
            have(i, 1, 0, 0, 0);
        }
        acts.quietly();
    }

    @Test
    void idle_wanted_beginsTheFirst() {
        want(2);

        acts.expect(begin(1));
    }

    @Test
    void idle_anAnswer_isImpossible() {
        acts.expectViolation(() -> have(1, 0, 1, 1, 1), "collection=0 state=IDLE", "node=1");
        acts.expectViolation(() -> done(1, 0), "collection=0 state=IDLE", "node=1");
    }

    @Test
    void gathering_wantedByOthers_isIgnored() {
        gather();

        want(0);
        want(2);

        acts.expect();
    }

    @Test
    void gathering_lastHave_givesEveryNodeWhatAllHave() {
        gather();
        have(2, 1, 1, 5, 6);
        have(0, 1, 4, 5, 0);
        acts.expect();

        have(1, 1, 3, 7, 2);

        acts.expect(
                send(0, validate(0, 1, 4, 7, 6)),
                send(1, validate(1, 1, 4, 7, 6)),
                send(2, validate(2, 1, 4, 7, 6)));
    }

    @Test
    void gathering_secondHaveOfANodeOrOneOfAnotherCollection_isImpossible() {
        gather();
        have(2, 1, 1, 5, 6);

        acts.expectViolation(() -> have(2, 1, 1, 5, 6), "answered={2} node=2");
        acts.expectViolation(() -> have(1, 2, 1, 5, 6), "collection=1", "node=1");
        acts.expectViolation(() -> done(1, 1), "state=GATHERING", "node=1");
    }

    @Test
    void validating_lastDone_frees() {
        validate();
        done(1, 1);
        done(0, 1);
        acts.expect();

        done(2, 1);

        acts.expect(
                new Counted(NodeCounter.COLLECTIONS, 1),
                send(0, new CollectFree(1)),
                send(1, new CollectFree(1)),
                send(2, new CollectFree(1)));
    }

    @Test
    void validating_secondDoneOrAnotherReport_isImpossible() {
        validate();
        done(1, 1);

        acts.expectViolation(() -> done(1, 1), "answered={1} node=1");
        acts.expectViolation(() -> done(2, 2), "collection=1", "node=2");
        acts.expectViolation(() -> have(2, 1, 1, 1, 1), "state=VALIDATING", "node=2");
        acts.expectViolation(() -> want(2), "state=VALIDATING", "node=2");
    }

    @Test
    void collectionAfterAnother_hasTheNextNumberAndForgetsWhatWasHad() {
        validate();
        for (int i = 0; i < NODES; i++) {
            done(i, 1);
        }
        acts.quietly();

        want(0);
        acts.expect(begin(2));
        have(0, 2, 1, 0, 0);
        have(1, 2, 0, 1, 0);
        have(2, 2, 0, 0, 1);

        acts.expect(
                send(0, validate(0, 2, 1, 1, 1)),
                send(1, validate(1, 2, 1, 1, 1)),
                send(2, validate(2, 2, 1, 1, 1)));
    }
}
