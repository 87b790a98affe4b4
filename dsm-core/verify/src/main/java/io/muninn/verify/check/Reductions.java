package io.muninn.verify.check;

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
import org.jspecify.annotations.Nullable;

/**
 * Every thread that contributes to a reduction receives the result of its round, and no other
 * thread does. If the threads of a barrier are always the same, the expected result is computed
 * here: by node, and within a node by thread. If the application combines, the result contains
 * every contribution of the round once, including the receiver's, in order of position. A thread
 * that gathers receives the contributions of all others; the others receive its contribution when
 * it arrives.
 */
final class Reductions implements Checker {
    static final String NAME = "reductions";

    /** A contribution of a thread. */
    private record Given(int node, int thread, BarrierId barrier, int round, Contribution value) {}

    /** A thread that gathers in a round. */
    private record Gathering(int position, BarrierId barrier, int round) {}

    /** The arrivals at a barrier. */
    private static final class Visits {
        final Map<Integer, Integer> byPosition = new TreeMap<>();
        final List<List<Given>> rounds = new ArrayList<>();
        final Map<Integer, Integer> gatherers = new TreeMap<>(); // positions by round
        int parties;

        boolean isOfTheSame() {
            return byPosition.size() <= parties;
        }
    }

    private final Map<BarrierId, Visits> barriers = new TreeMap<>();
    private @Nullable Given[][] given = {}; // by node and thread; null for none
    private @Nullable Gathering[][] gathering = {}; // by node and thread; null for none
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
        gathering = new Gathering[cluster.nodes()][threads + cluster.ownThreads()];
    }

    @Override
    public void beforeStep(SimNode node, Event event) {
        if (event instanceof Event.GatherCalled(var waiter, var id, int parties)) {
            int at = node.id().index();
            int position = at * threads + waiter.thread();
            Visits visits = visits(id, parties);
            int round = visits.byPosition.getOrDefault(position, 0);
            visits.gatherers.put(round, position);
            gathering[at][waiter.thread()] = new Gathering(position, id, round);
        }
        if (event instanceof Event.BarrierReached(var waiter, var id, int parties, _, Bytes value)
                && value.length() > 0) {
            int at = node.id().index();
            int position = at * threads + waiter.thread();
            Visits visits = visits(id, parties);
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

    private Visits visits(BarrierId id) {
        return barriers.computeIfAbsent(id, _ -> new Visits());
    }

    private Visits visits(BarrierId id, int parties) {
        Visits visits = visits(id);
        visits.parties = parties == Event.ALL_PARTIES ? given.length * threads : parties;
        return visits;
    }

    @Override
    public void afterStep(SimNode node, Event event, List<Effect> effects) {
        for (Effect effect : effects) {
            if (effect instanceof Effect.ResumeWaiter(WaiterId waiter, Outcome outcome)
                    && waiter.thread() < given[node.id().index()].length) {
                int at = node.id().index();
                Gathering alone = gathering[at][waiter.thread()];
                gathering[at][waiter.thread()] = null;
                if (alone != null && outcome instanceof Outcome.Delivered(int _, Bytes all)) {
                    checkGathered(alone, Round.values(all.array()));
                }
                Given mine = given[at][waiter.thread()];
                given[at][waiter.thread()] = null;
                if (mine != null) {
                    check(mine, outcome);
                }
            }
        }
    }

    /** Checks that a gathering thread received the contributions of all others, in order. */
    private void checkGathered(Gathering alone, List<byte[]> result) {
        Visits visits = visits(alone.barrier());
        List<Given> others = new ArrayList<>();
        if (visits.rounds.size() > alone.round()) {
            others.addAll(visits.rounds.get(alone.round()));
        }
        others.sort(Comparator.comparingInt(Given::node).thenComparingInt(Given::thread));
        boolean isRight = result.size() == visits.parties - 1 && others.size() == result.size();
        for (int i = 0; i < result.size() && isRight; i++) {
            isRight = Arrays.equals(result.get(i), others.get(i).value().value());
        }
        if (!isRight) {
            throw violation(
                    "position "
                            + alone.position()
                            + " gathers "
                            + result.size()
                            + " contributions at barrier '"
                            + alone.barrier()
                            + "', and others have come with "
                            + others);
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
        Visits visits = visits(mine.barrier());
        Combination combination = mine.value().combination();
        List<Given> round = new ArrayList<>(visits.rounds.get(mine.round()));
        Integer gatherer = visits.gatherers.get(mine.round());
        if (gatherer != null) {
            checkOfGatherer(mine, gatherer, round, result);
            return;
        }
        round.sort(Comparator.comparingInt(Given::node).thenComparingInt(Given::thread));
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
            return; // the threads of its round are not known
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

    private void checkOfGatherer(Given mine, int gatherer, List<Given> round, List<byte[]> result) {
        boolean isRight =
                result.size() == 1
                        && round.stream()
                                .filter(each -> each.node() * threads + each.thread() == gatherer)
                                .anyMatch(each ->
                                        Arrays.equals(each.value().value(), result.getFirst()));
        if (!isRight) {
            throw wrong(mine, "does not get what position " + gatherer + " contributes alone");
        }
    }

    /**
     * Whether contributions are in order of position, which is the first byte of a listed
     * contribution.
     */
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

    /** Combines two values: a sum of doubles, or the place of the minimum. */
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
