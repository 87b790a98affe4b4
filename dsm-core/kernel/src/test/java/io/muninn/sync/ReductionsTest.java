package io.muninn.sync;

import static io.muninn.sync.Acts.answer;
import static io.muninn.sync.Acts.disarm;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static io.muninn.sync.FakeCargoHold.labelled;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.Reduction;
import io.muninn.api.Reduction.Operator;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import io.muninn.kernel.Counted;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.Outcome;
import io.muninn.sync.SyncMessage.BarrierArrive;
import io.muninn.sync.SyncMessage.BarrierBroken;
import io.muninn.sync.SyncMessage.BarrierDepart;
import io.muninn.sync.SyncMessage.BarrierTimeout;
import io.muninn.wire.MalformedMessageException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Contributions on arrivals and departures: on node 1, and at the manager; of three nodes. */
class ReductionsTest {
    private static final BarrierId SWEEP = new BarrierId("sweep");
    private static final BarrierId OTHER = new BarrierId("other");
    private static final Reduction<Double> SUM = Reduction.ofDouble(Operator.SUM);
    private static final Reduction<String> JOINED =
            Reduction.of("joined", String.class, (left, right) -> left + right);
    private static final int NODES = 3;
    private static final int THREADS = 2;
    private static final int ALL = NODES * THREADS;
    private static final double BIG = 1e16; // BIG + 1 is BIG

    private final Acts acts = new Acts();
    private final BarrierArrivals arrivals =
            new BarrierArrivals(NodeId.of(1), THREADS, ALL, acts::begin, acts::acquire, acts.cargo);
    private final BarrierManager manager = new BarrierManager(NODES, THREADS, acts.cargo);

    // on a node

    @Test
    void contributionsOfAllThreads_leaveCombinedInOrderOfThread() {
        reach(1, SWEEP, bytes(SUM, 1.0));
        reach(0, SWEEP, bytes(SUM, 2.0));

        Bytes combined = Contributions.ofArrival(threads(-1, bytes(SUM, 3.0)), false);
        acts.expectBegun(new GatedRelease.Arrival(SWEEP, 2, 0, combined));
    }

    @Test
    void contributionsOfSomeThreads_leaveOneByOne() {
        reach(1, SWEEP, bytes(SUM, 1.0));
        reach(0, OTHER, Bytes.EMPTY);

        Bytes one = Contributions.ofArrival(threads(1, bytes(SUM, 1.0)), false);
        acts.expectBegun(
                new GatedRelease.Arrival(SWEEP, 1, 0, one), new GatedRelease.Arrival(OTHER, 1, 0));
    }

    @Test
    void contributionsThatDoNotFit_leaveOneByOneForTheManagerToSee() {
        reach(0, SWEEP, bytes(SUM, 1.0));
        reach(1, SWEEP, bytes(Reduction.ofDouble(Operator.MIN), 1.0));

        assertEquals(2, begun().contributions().array()[0]);
    }

    @Test
    void contributions_rideOnTheArrival() {
        reach(0, SWEEP, bytes(SUM, 1.0));
        reach(1, SWEEP, bytes(SUM, 2.0));
        GatedRelease.Arrival leaving = begun();
        acts.quietly();

        arrivals.onReleasePerformed(leaving, acts.out);

        Cargo cargo = labelled("cargo for 0").with(Cargo.REDUCTION_CODE, leaving.contributions());
        acts.expect(send(0, new BarrierArrive(SWEEP, 2, 0, ALL, cargo)));
    }

    @Test
    void result_isForTheOldest() {
        reach(0, SWEEP, bytes(SUM, 1.0), 2);
        reach(1, SWEEP, bytes(SUM, 2.0), 2);
        acts.quietly();

        depart(1, "result");

        acts.expect(passed(), disarm(0), answer(0, new Outcome.Delivered(0, result("result"))));
        depart(1, "other");
        acts.expect(passed(), disarm(1), answer(1, new Outcome.Delivered(0, result("other"))));
    }

    @Test
    void contributionsBeforeTheBarrierBroke_leaveNoMore() {
        reach(0, SWEEP, bytes(SUM, 1.0));
        arrivals.onBarrierBroken(new BarrierBroken(SWEEP, "late"), acts.out);
        acts.quietly();

        reach(1, OTHER, bytes(SUM, 2.0));
        reach(0, OTHER, bytes(SUM, 4.0));

        Bytes combined = Contributions.ofArrival(threads(-1, bytes(SUM, 6.0)), false);
        acts.expectBegun(new GatedRelease.Arrival(OTHER, 2, 0, combined));
    }

    // at the manager

    @Test
    void lastArrival_sendsEveryNodeTheResult() {
        arrive(2, 2, together(SUM, -BIG));
        arrive(0, 2, together(SUM, BIG));
        acts.expect();

        arrive(1, 2, together(SUM, 1.0));

        acts.expect(
                depart(0, 2, SUM, BIG, 1.0, -BIG),
                depart(1, 2, SUM, BIG, 1.0, -BIG),
                depart(2, 2, SUM, BIG, 1.0, -BIG));
    }

    @Test
    void contributionsOneByOne_areCombinedWithinTheirNodeFirst() {
        arrive(1, 1, apart(SUM, 1, 1.0));
        arrive(0, 2, together(SUM, BIG));
        arrive(2, 2, together(SUM, -BIG));

        arrive(1, 1, apart(SUM, 0, 1.0));

        acts.expect(
                depart(0, 2, SUM, BIG, 2.0, -BIG),
                depart(1, 2, SUM, BIG, 2.0, -BIG),
                depart(2, 2, SUM, BIG, 2.0, -BIG));
    }

    @Test
    void operatorOfTheProgram_getsEveryContribution() {
        arrive(1, 1, 2, apart(JOINED, 1, "c"));

        arrive(0, 1, 2, apart(JOINED, 0, "a"));

        BarrierDepart departure = (BarrierDepart) ((Effect.Send) acts.out.take().get(1)).message();
        byte[] result = departure.cargo().of(Cargo.REDUCTION_CODE).array();
        assertEquals("ac", JOINED.decode(result));
    }

    @Test
    void nextRound_beginsWithoutTheContributionsOfTheLast() {
        for (int i = 0; i < 2; i++) {
            arrive(1, 1, 2, apart(SUM, 1, 1.0 + i));
            acts.quietly();

            arrive(0, 1, 2, apart(SUM, 0, 4.0));

            acts.expect(depart(0, 1, SUM, 4.0, 1.0 + i), depart(1, 1, SUM, 4.0, 1.0 + i));
        }
        arrive(1, 1, 2, Bytes.EMPTY);
        arrive(0, 1, 2, Bytes.EMPTY);
        acts.expect(
                send(0, new BarrierDepart(SWEEP, 1, labelled("departure"))),
                send(1, new BarrierDepart(SWEEP, 1, labelled("departure"))));
    }

    @Test
    void differentReductions_breakTheBarrierAtOnce() {
        arrive(0, 2, together(SUM, 1.0));

        arrive(2, 1, apart(Reduction.ofDouble(Operator.MAX), 1, 1.0));

        expectBroken(
                "barrier 'sweep': node 0 came with a contribution to 'sum of double', and node 2,"
                        + " thread 1, with a contribution to 'max of double'; all parties of a"
                        + " round contribute to the same reduction, with equal lengths");
        arrive(1, 2, together(SUM, 1.0));
        acts.expect();
    }

    @Test
    void arrivalWithoutAContribution_breaksARoundWithOne() {
        arrive(0, 2, together(SUM, 1.0));

        arrive(1, 2, Bytes.EMPTY);

        expectBroken(
                "barrier 'sweep': node 0 came with a contribution to 'sum of double', and node 1"
                        + " without a contribution; all parties of a round contribute to the same"
                        + " reduction, with equal lengths");
    }

    @Test
    void threadWithoutAContributionAmongOthers_breaksTheRound() {
        arrive(1, 2, apart(SUM, 1, 1.0));

        expectBroken(
                "barrier 'sweep': node 1, thread 1, came with a contribution to 'sum of double',"
                        + " and node 1 without a contribution; all parties of a round contribute to"
                        + " the same reduction, with equal lengths");
    }

    @Test
    void timeout_breaksARoundWithContributionsAsAnyOther() {
        arrive(0, 2, together(SUM, 1.0));

        manager.onBarrierTimeout(NodeId.of(1), new BarrierTimeout(SWEEP, ALL, 1, 0), acts.out);

        expectBroken(
                "barrier 'sweep' has 3 of 6 parties, missing: node 1 (1 of 2), node 2 (2 of 2)");
    }

    @Test
    void bytesThatAreNoContribution_areMalformed() {
        Bytes wrong = new Bytes(new byte[] {1, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 99});

        assertThrows(MalformedMessageException.class, () -> arrive(1, 1, wrong));
    }

    private GatedRelease.Arrival begun() {
        return (GatedRelease.Arrival) acts.lastBegun();
    }

    private static Counted passed() {
        return new Counted(NodeCounter.BARRIERS, 1);
    }

    private static <T> Bytes bytes(Reduction<T> reduction, T value) {
        return new Bytes(reduction.encode(value, ALL));
    }

    private static TreeMap<Integer, Bytes> threads(int thread, Bytes contribution) {
        TreeMap<Integer, Bytes> threads = new TreeMap<>();
        threads.put(thread, contribution);
        return threads;
    }

    private static <T> Bytes together(Reduction<T> reduction, T value) {
        return Contributions.ofArrival(threads(-1, bytes(reduction, value)), false);
    }

    private static <T> Bytes apart(Reduction<T> reduction, int thread, T value) {
        return Contributions.ofArrival(threads(thread, bytes(reduction, value)), false);
    }

    private void reach(int thread, BarrierId barrier, Bytes contribution) {
        reach(thread, barrier, contribution, Event.ALL_PARTIES);
    }

    private void reach(int thread, BarrierId barrier, Bytes contribution, int parties) {
        arrivals.onBarrierReached(
                new Event.BarrierReached(waiter(thread), barrier, parties, -1, contribution),
                acts.out);
    }

    private static Bytes result(String text) {
        return new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The barrier completes for the oldest of the node, and the departure is acquired. */
    private void depart(int count, String result) {
        Cargo cargo = withResult(result(result).array());
        arrivals.onBarrierDepart(new BarrierDepart(SWEEP, count, cargo), acts.out);
        arrivals.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Departure.class), acts.out);
    }

    private void arrive(int from, int count, Bytes contributions) {
        arrive(from, count, ALL, contributions);
    }

    private void arrive(int from, int count, int parties, Bytes contributions) {
        Cargo cargo = labelled("arrival").with(Cargo.REDUCTION_CODE, contributions);
        manager.onBarrierArrive(
                NodeId.of(from), new BarrierArrive(SWEEP, count, 0, parties, cargo), acts.out);
    }

    /** A departure with the result of these contributions from left to right. */
    private static Effect depart(int to, int count, Reduction<Double> sum, Double... values) {
        double result = values[0];
        for (int i = 1; i < values.length; i++) {
            result += values[i];
        }
        Round ofOne = new Round();
        ofOne.add(0, 0, Optional.of(Contribution.decode(sum.encode(result, 1))));
        Cargo cargo = withResult(ofOne.result());
        return send(to, new BarrierDepart(SWEEP, count, cargo));
    }

    private static Cargo withResult(byte[] result) {
        return labelled("departure").with(Cargo.REDUCTION_CODE, new Bytes(result));
    }

    private void expectBroken(String reason) {
        Object[] told = new Object[NODES];
        for (int i = 0; i < NODES; i++) {
            told[i] = send(i, new BarrierBroken(SWEEP, reason));
        }
        acts.expect(told);
    }
}
