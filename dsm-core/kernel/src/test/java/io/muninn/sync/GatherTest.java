package io.muninn.sync;

import static io.muninn.sync.Acts.answer;
import static io.muninn.sync.Acts.disarm;
import static io.muninn.sync.Acts.done;
import static io.muninn.sync.Acts.send;
import static io.muninn.sync.Acts.waiter;
import static io.muninn.sync.FakeCargoHold.labelled;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.reduction.Combination;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Round;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Cargo;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.Outcome;
import io.muninn.sync.SyncMessage.BarrierArrive;
import io.muninn.sync.SyncMessage.BarrierBroken;
import io.muninn.sync.SyncMessage.BarrierDepart;
import io.muninn.sync.SyncMessage.BarrierGather;
import io.muninn.sync.SyncMessage.BarrierGathered;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A thread waits for all others at a barrier: on node 0, and at the manager; of two nodes with two
 * threads each.
 */
class GatherTest {
    private static final BarrierId LOOPS = new BarrierId("loops");
    private static final BarrierId OTHER = new BarrierId("other");
    private static final int NODES = 2;
    private static final int ALL = 4;

    private final Acts acts = new Acts();
    private final BarrierArrivals arrivals =
            new BarrierArrivals(NodeId.ROOT, 2, ALL, acts::begin, acts::acquire, acts.cargo);
    private final BarrierManager manager = new BarrierManager(NODES, 2, acts.cargo);

    // on a node

    @Test
    void gatherer_asksTheManager() {
        gather(0);

        acts.expect(send(0, new BarrierGather(LOOPS, ALL)));
        acts.expectBegun();
    }

    @Test
    void arrivalsOfANodeWhoseOtherThreadGathers_leaveWhoeverCameFirst() {
        gather(0);
        reach(1, LOOPS);
        acts.expectBegun(new GatedRelease.Arrival(LOOPS, 1, 0));
        gathered(Cargo.NONE);
        acts.quietly();

        reach(0, LOOPS);
        acts.expectBegun(new GatedRelease.Arrival(LOOPS, 1, 0));
    }

    @Test
    void arrivalsBeforeTheGatherer_leaveWithIt() {
        reach(1, LOOPS);
        acts.expectBegun();

        gather(0);

        acts.expectBegun(new GatedRelease.Arrival(LOOPS, 1, 0));
    }

    @Test
    void gathered_isAnAcquireAndResumesTheGathererOnly() {
        gather(0);
        reach(1, LOOPS);
        acts.quietly();

        gathered(labelled("cargo"));
        acts.expect();
        acquired();

        acts.expect(disarm(0), done(0));
        assertEquals(List.of("cargo"), acts.cargo.unloaded);
    }

    @Test
    void gatheredContributions_areTheAnswer() {
        gather(0);
        acts.quietly();

        gathered(labelled("cargo").with(Cargo.REDUCTION_CODE, new Bytes(new byte[] {7})));
        acquired();

        Outcome all = new Outcome.Delivered(0, new Bytes(new byte[] {7}));
        acts.expect(disarm(0), answer(0, all));
    }

    @Test
    void barrierThatBreaks_breaksForTheGathererToo() {
        gather(0);
        acts.quietly();

        arrivals.onBarrierBroken(new BarrierBroken(LOOPS, "late"), acts.out);

        acts.expect(disarm(0), answer(0, new Outcome.Broken("late")));
        gather(0);
        acts.expect(answer(0, new Outcome.Broken("late")));
        gathered(Cargo.NONE);
        acts.expect();
    }

    @Test
    void secondGatherer_isRefused() {
        gather(0);
        acts.quietly();

        gather(1);

        String reason = "barrier 'loops': two threads wait for all others";
        acts.expect(answer(1, new Outcome.Broken(reason)));
    }

    @Test
    void answerThatNobodyWaitsFor_isImpossible() {
        reach(0, LOOPS);

        acts.expectViolation(() -> gathered(Cargo.NONE), "barrier=loops", "nobody gathers");
    }

    // at the manager

    @Test
    void lastButTheGatherer_isTheAnswer() {
        managerGathers(0);
        arrive(0, 1, Bytes.EMPTY);
        acts.expect();

        arrive(1, 2, Bytes.EMPTY);

        acts.expect(send(0, new BarrierGathered(LOOPS, labelled("departure"))));
    }

    @Test
    void gathererAfterAllOthers_isAnsweredAtOnce() {
        arrive(0, 1, Bytes.EMPTY);
        arrive(1, 2, Bytes.EMPTY);

        managerGathers(0);

        acts.expect(send(0, new BarrierGathered(LOOPS, labelled("departure"))));
    }

    @Test
    void gatherersArrival_letsAllGoWithItsContributionAlone() {
        arrive(1, 2, listed(0, 21, 22));
        arrive(0, 1, listed(1, 1));
        managerGathers(0);
        assertEquals(List.of(1, 21, 22), values(((BarrierGathered) sent()).cargo()));

        arrive(0, 1, listed(0, 9));

        for (Object each : acts.out.take()) {
            BarrierDepart departure = (BarrierDepart) ((Effect.Send) each).message();
            assertEquals(List.of(9), values(departure.cargo()));
        }
    }

    @Test
    void secondGathererAndOtherParties_breakTheBarrier() {
        managerGathers(0);

        managerGathers(1);

        expectBroken(LOOPS, "barrier 'loops': two threads wait for all others");
        manager.onBarrierGather(NodeId.of(1), new BarrierGather(OTHER, 3), acts.out);
        manager.onBarrierGather(NodeId.of(1), new BarrierGather(OTHER, 2), acts.out);
        expectBroken(OTHER, "barrier 'other' is for 3 parties, but node 1 came with 2");
        managerGathers(0);
        acts.expect();
    }

    @Test
    void gathererWhoseOthersWaitElsewhere_isToldWithThem() {
        managerGathers(0);
        arrive(1, 2, Bytes.EMPTY);

        manager.onBarrierArrive(
                NodeId.ROOT, new BarrierArrive(OTHER, 1, 0, 2, Cargo.NONE), acts.out);

        String reason =
                "every thread waits, none can go on: barrier 'loops' has 2 of 4 parties, missing:"
                        + " node 0 (2 of 2); barrier 'other' has 1 of 2 parties, arrived: node 0"
                        + " (1)";
        acts.expect(
                send(0, new BarrierBroken(LOOPS, reason)),
                send(1, new BarrierBroken(LOOPS, reason)),
                send(0, new BarrierBroken(OTHER, reason)),
                send(1, new BarrierBroken(OTHER, reason)));
    }

    private void gather(int thread) {
        arrivals.onGatherCalled(
                new Event.GatherCalled(waiter(thread), LOOPS, Event.ALL_PARTIES), acts.out);
    }

    private void reach(int thread, BarrierId barrier) {
        arrivals.onBarrierReached(
                new Event.BarrierReached(waiter(thread), barrier, Event.ALL_PARTIES, -1), acts.out);
    }

    private void gathered(Cargo cargo) {
        arrivals.onBarrierGathered(new BarrierGathered(LOOPS, cargo), acts.out);
    }

    private void acquired() {
        arrivals.onAcquirePerformed(acts.takeAcquire(GatedAcquire.Departure.class), acts.out);
    }

    private void managerGathers(int node) {
        manager.onBarrierGather(NodeId.of(node), new BarrierGather(LOOPS, ALL), acts.out);
    }

    private void arrive(int from, int count, Bytes contributions) {
        Cargo cargo = Cargo.NONE.with(Cargo.REDUCTION_CODE, contributions);
        manager.onBarrierArrive(
                NodeId.of(from), new BarrierArrive(LOOPS, count, 0, ALL, cargo), acts.out);
    }

    /** A contribution that the application combines: a byte of each thread from the first on. */
    private static Bytes listed(int first, int... values) {
        TreeMap<Integer, Bytes> threads = new TreeMap<>();
        for (int i = 0; i < values.length; i++) {
            byte[] value = {(byte) values[i]};
            Combination listed = Combination.ofApplication("listed");
            threads.put(first + i, new Bytes(new Contribution(listed, value).encode()));
        }
        return Contributions.ofArrival(threads, false);
    }

    private static List<Integer> values(Cargo cargo) {
        return Round.values(cargo.of(Cargo.REDUCTION_CODE).array()).stream()
                .map(value -> (int) value[0])
                .toList();
    }

    private Object sent() {
        return ((Effect.Send) acts.out.take().getFirst()).message();
    }

    private void expectBroken(BarrierId barrier, String reason) {
        acts.expect(
                send(0, new BarrierBroken(barrier, reason)),
                send(1, new BarrierBroken(barrier, reason)));
    }
}
