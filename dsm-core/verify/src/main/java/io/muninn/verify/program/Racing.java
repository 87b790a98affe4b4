package io.muninn.verify.program;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.api.spi.VariableSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.Violation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A program with data races that must all be reported: in each round between two barriers, two
 * nodes store different values to one element. A report names the element and, for each node, its
 * value and the synchronization before or after its store.
 */
public final class Racing {
    public static final Protocol PROTOCOL = Protocol.WRITE_SHARED;

    private static final int NODES = 3;
    private static final int ROUNDS = 12;
    private static final int TAG = 1;
    private static final long LIMIT_NANOS = 60_000_000_000L;
    private static final String VARIABLE = "words";
    private static final int PAGE_WORDS = RegionSpec.MACHINE_PAGE_BYTES / Long.BYTES;

    /** A store, and how a report may describe its place. */
    private record Racer(int node, long value, String begin, String end) {
        /**
         * @param isArriving whether the store was sent to the node that has found the race
         */
        boolean isNamedIn(String text, boolean isArriving) {
            String racer = value + " by node " + node + " ";
            return text.contains(racer + end) || !isArriving && text.contains(racer + begin);
        }
    }

    private final Random random;
    private final Scripts scripts = new Scripts(NODES);
    private final Map<String, List<Racer>> races = new TreeMap<>(); // by element
    private long lastValue = 1_000;
    private long lastLetter;

    private Racing(Random random) {
        this.random = random;
    }

    /**
     * @param seed decides the program and the delays
     * @throws Violation if a race is not reported, or not correctly
     */
    public static void run(long seed, List<Observer> observers) {
        Random random = new Random(SeededRun.spread(seed));
        RandomDelays delays =
                new RandomDelays(new Random(random.nextLong()), new Random(seed), NODES);
        Racing racing = new Racing(random);
        Program program = racing.write();
        List<String> reports = new ArrayList<>();
        List<Observer> all = new ArrayList<>(observers);
        all.add(
                new Observer() {
                    @Override
                    public void onRace(PageId page, int offset, String text, boolean isCertain) {
                        reports.add(text);
                    }
                });
        ProgramRun.run(program, delays, _ -> {}, all, LIMIT_NANOS, true);
        racing.compare(reports);
    }

    private Program write() {
        for (int round = 0; round < ROUNDS; round++) {
            write(round);
        }
        RegionSpec region =
                new RegionSpec(
                        0,
                        VARIABLE,
                        PROTOCOL,
                        0,
                        2 * RegionSpec.MACHINE_PAGE_BYTES,
                        Long.BYTES,
                        1,
                        List.of(
                                new VariableSpec(
                                        VARIABLE,
                                        "long[" + 2 * PAGE_WORDS + "]",
                                        0,
                                        2 * RegionSpec.MACHINE_PAGE_BYTES)));
        return new Program(NODES, 1, 0, List.of(region), List.of(), scripts.all());
    }

    private void write(int round) {
        int page = random.nextInt(2);
        Variable word = new Variable(new PageId(0, page), round * Long.BYTES, Long.BYTES);
        String name = VARIABLE + "[" + (page * PAGE_WORDS + round) + "]";
        BarrierId begin = new BarrierId("begin" + round);
        BarrierId end = new BarrierId("end" + round);
        int other = random.nextInt(NODES); // does not store
        int unit = scripts.beginUnit();
        List<Racer> racers = new ArrayList<>();
        List<Op.Receive> letters = new ArrayList<>();
        for (int node = 0; node < NODES; node++) {
            if (random.nextBoolean()) {
                scripts.load(unit, node, word);
            }
            scripts.add(unit, node, new Op.Await(begin, Event.ALL_PARTIES));
            if (node != other) {
                boolean sends = random.nextBoolean();
                scripts.add(unit, node, new Op.Store(word, ++lastValue));
                if (sends) {
                    scripts.add(unit, node, new Op.Send(other, TAG, ++lastLetter));
                    letters.add(new Op.Receive(node, TAG));
                }
                racers.add(
                        new Racer(
                                node,
                                lastValue,
                                "after barrier '" + begin + "'",
                                sends
                                        ? "before a message to node " + other
                                        : "before barrier '" + end + "'"));
            }
        }
        letters.forEach(letter -> scripts.add(unit, other, letter));
        for (int node = 0; node < NODES; node++) {
            scripts.add(unit, node, new Op.Await(end, Event.ALL_PARTIES));
        }
        races.put(name, racers);
    }

    private void compare(List<String> reports) {
        for (String report : reports) {
            String name = report.substring(0, report.indexOf(' '));
            List<Racer> racers = races.remove(name);
            if (racers == null) {
                throw new Violation("missed races", "reported, but not once: " + report);
            }
            Racer first = racers.getFirst();
            Racer second = racers.getLast();
            boolean isRight =
                    first.isNamedIn(report, true) && second.isNamedIn(report, false)
                            || first.isNamedIn(report, false) && second.isNamedIn(report, true);
            if (!isRight) {
                throw new Violation("missed races", "of " + racers + " it is said: " + report);
            }
        }
        if (!races.isEmpty()) {
            throw new Violation("missed races", "not reported: " + races);
        }
    }
}
