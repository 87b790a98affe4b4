package io.muninn.sim.check;

import io.muninn.api.Reduction.Operator;
import io.muninn.api.reduction.Combination;
import io.muninn.api.reduction.Contribution;
import io.muninn.api.reduction.Element;
import io.muninn.api.reduction.Round;
import io.muninn.model.BarrierId;
import io.muninn.sim.SimNode;
import io.muninn.sim.Simulation;
import io.muninn.sim.Violation;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.Outcome;
import io.muninn.spi.WaiterId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whoever contributes to a reduction gets what comes of the contributions of its round, and nobody
 * else does. Where the threads of a barrier are always the same, the result is computed here again:
 * by node, and within a node by thread. Where the application combines, the result holds every
 * contribution of the round once, in order of position, that of the receiver among them.
 */
final class Reductions implements Checker {
    static final String NAME = "reductions";

    /** Who contributes what. */
    private record Given(int node, int thread, BarrierId barrier, int round, Contribution value) {}

    /** A barrier as threads have come to it. */
    private static final class Visits {
        final Map<Integer, Integer> byPosition = new TreeMap<>();
        final List<List<Given>> rounds = new ArrayList<>();
        int parties;

        boolean isOfTheSame() {
            return byPosition.size() <= parties;
        }
    }

    private final Map<BarrierId, Visits> barriers = new TreeMap<>();
    private Given[][] given = {}; // by node and thread; null for none
    private int threads; // of a node

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void onStart(Simulation simulation) {
        Simulation.Cluster cluster = simulation.cluster();
        threads = cluster.threads();
        given = new Given[cluster.nodes()][threads + cluster.ownThreads()];
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.BarrierReached(var waiter, var id, int parties, _, Bytes value)
                && value.length() > 0) {
            int at = node.id().index();
            int position = at * threads + waiter.thread();
            Visits visits = barriers.computeIfAbsent(id, _ -> new Visits());
            visits.parties = parties == Event.ALL_PARTIES ? given.length * threads : parties;
            int round = visits.byPosition.merge(position, 1, Integer::sum) - 1;
            Given mine =
                    new Given(at, waiter.thread(), id, round, Contribution.decode(value.array()));
            given[at][waiter.thread()] = mine;
            while (visits.rounds.size() <= round) {
                visits.rounds.add(new ArrayList<>());
            }
            visits.rounds.get(round).add(mine);
        }
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.ResumeWaiter(WaiterId waiter, Outcome outcome)
                    && waiter.thread() < given[node.id().index()].length) {
                Given mine = given[node.id().index()][waiter.thread()];
                given[node.id().index()][waiter.thread()] = null;
                if (mine != null) {
                    check(mine, outcome);
                }
            }
        }
    }

    private void check(Given mine, Outcome outcome) {
        switch (outcome) {
            case Outcome.Delivered(int _, Bytes result) ->
                    check(mine, Round.values(result.array()));
            case Outcome.Done() -> throw wrong(mine, "is told nothing");
            default -> {} // the barrier is broken, or a node is lost
        }
    }

    private void check(Given mine, List<byte[]> result) {
        Visits visits = barriers.get(mine.barrier());
        Combination combination = mine.value().combination();
        List<Given> round = new ArrayList<>(visits.rounds.get(mine.round()));
        round.sort(Comparator.comparing(Given::node).thenComparing(Given::thread));
        if (combination.operator().isEmpty()) {
            if (result.size() != visits.parties
                    || result.stream().noneMatch(each -> Arrays.equals(each, mine.value().value()))
                    || !isInOrder(result)) {
                throw wrong(
                        mine,
                        "gets "
                                + result.size()
                                + " contributions, without its own or not in order");
            }
        } else if (result.size() != 1) {
            throw wrong(mine, "gets " + result.size() + " values");
        }
        if (!visits.isOfTheSame()) {
            return; // who is of its round is not known
        }
        if (round.size() != visits.parties) {
            throw wrong(mine, "has a result of " + round.size() + " contributions");
        }
        List<byte[]> expected =
                combination.operator().isEmpty()
                        ? round.stream().map(each -> each.value().value()).toList()
                        : List.of(combined(combination, round));
        for (int i = 0; i < expected.size(); i++) {
            if (!Arrays.equals(expected.get(i), result.get(i))) {
                throw wrong(
                        mine,
                        "gets "
                                + Arrays.toString(result.get(i))
                                + " of round "
                                + mine.round()
                                + ", which is "
                                + round);
            }
        }
    }

    /** Programs put the position first into what they combine by themselves. */
    private static boolean isInOrder(List<byte[]> contributions) {
        for (int i = 1; i < contributions.size(); i++) {
            if (contributions.get(i - 1)[0] >= contributions.get(i)[0]) {
                return false;
            }
        }
        return true;
    }

    private byte[] combined(Combination combination, List<Given> round) {
        List<byte[]> parts = new ArrayList<>();
        for (int i = 0; i < round.size(); ) {
            byte[] part = round.get(i).value().value();
            int node = round.get(i).node();
            i++;
            while (!combination.isFlat() && i < round.size() && round.get(i).node() == node) {
                part = plus(combination, part, round.get(i).value().value());
                i++;
            }
            parts.add(part);
        }
        return parts.stream().reduce((left, right) -> plus(combination, left, right)).orElseThrow();
    }

    /** A sum of doubles, or the place of the least: what programs of the simulator use. */
    private static byte[] plus(Combination combination, byte[] left, byte[] right) {
        ByteBuffer a = ByteBuffer.wrap(left).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer b = ByteBuffer.wrap(right).order(ByteOrder.LITTLE_ENDIAN);
        if (combination.element() == Element.DOUBLE_AT) {
            int order = Double.compare(a.getDouble(0), b.getDouble(0));
            boolean isLeft = order < 0 || order == 0 && a.getLong(8) <= b.getLong(8);
            return isLeft ? left : right;
        }
        boolean isSum = combination.operator().equals(Optional.of(Operator.SUM));
        if (!isSum || combination.element() != Element.DOUBLE) {
            throw new IllegalArgumentException("no checker for " + combination);
        }
        ByteBuffer sum = ByteBuffer.allocate(left.length).order(ByteOrder.LITTLE_ENDIAN);
        while (a.hasRemaining()) {
            sum.putDouble(a.getDouble() + b.getDouble());
        }
        return sum.array();
    }

    private Violation wrong(Given mine, String what) {
        return violation(
                "thread "
                        + mine.thread()
                        + " of node "
                        + mine.node()
                        + " at barrier '"
                        + mine.barrier()
                        + "', contributing "
                        + mine.value()
                        + ", "
                        + what);
    }
}
