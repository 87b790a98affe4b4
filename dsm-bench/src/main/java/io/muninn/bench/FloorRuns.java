package io.muninn.bench;

import io.muninn.bench.floor.BareCluster;
import io.muninn.bench.series.Measured;
import io.muninn.launch.jvm.JvmFlags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Measures the floors of the operations of one live run: in C, and over bare channels. The speed of
 * a virtual machine changes from minute to minute, and measuring the floors in C takes about a
 * second. They are therefore measured three times: before the run, after it, and after the floors
 * over channels. The median of the three counts.
 */
final class FloorRuns {
    private static final int SAMPLES = 5000;
    private static final int QUICK_SAMPLES = 300;
    private static final String PROGRAM = "floors/dsm_floors";
    private static final String STAR = "netty-star-";
    private static final String EXCHANGE = "netty-unix-";
    private static final List<String> BY_TCP = List.of("64:64", "64:4096");

    private final BenchContext context;
    private final List<String> prefix;
    private final String samples;
    private final String warmUpMillis;
    private final List<List<Measured>> inC = new ArrayList<>(); // one list for each measurement

    /**
     * @param prefix words before each command, which place its process
     */
    FloorRuns(BenchContext context, List<String> prefix) {
        this.context = context;
        this.prefix = List.copyOf(prefix);
        samples = Integer.toString(context.isQuick() ? QUICK_SAMPLES : SAMPLES);
        warmUpMillis = Integer.toString(LiveRuns.warmUpMillis(context));
    }

    /** Measures all floors in C once. */
    void measureInC() throws IOException, InterruptedException {
        try (Child child = startInC()) {
            inC.add(read(child.rest()));
        }
    }

    /**
     * Starts the measurement of floors in C.
     *
     * @param floor the floors to measure; all if none is given
     */
    Child startInC(String... floor) throws IOException {
        List<String> words = new ArrayList<>();
        words.add(BuildFolder.path().resolve(PROGRAM).toString());
        words.add(samples);
        words.addAll(List.of(floor));
        return Child.start(prefix, words);
    }

    private void measureInCAgain() throws IOException, InterruptedException {
        if (!context.isQuick()) {
            measureInC();
        }
    }

    /**
     * Measures the floors of the given operations. Also measures exchanges over TCP if the
     * operations need both sizes in {@link #BY_TCP}, except in a quick run.
     */
    List<Measured> run(List<Measured> operations) throws IOException, InterruptedException {
        measureInCAgain();
        List<String> needed = MeasuredFloors.needed(operations);
        List<Measured> floors = new ArrayList<>();
        TreeSet<String> exchanges = new TreeSet<>();
        for (String floor : needed) {
            if (floor.startsWith(EXCHANGE)) {
                exchanges.add(sizes(floor));
            }
        }
        if (!exchanges.isEmpty()) {
            floors.addAll(bare("exchange", name(), String.join(",", exchanges), 2));
        }
        if (exchanges.containsAll(BY_TCP) && !context.isQuick()) {
            floors.addAll(bare("exchange", "127.0.0.1:0", String.join(",", BY_TCP), 2));
        }
        for (String floor : needed) {
            if (floor.startsWith(STAR)) {
                int nodes = Integer.parseInt(floor.substring(STAR.length()));
                floors.addAll(bare("star", name(), "64:64", nodes));
            }
        }
        measureInCAgain();
        floors.addAll(middles(inC));
        return floors;
    }

    private static String name() {
        return "unix:@muninn-bench-" + UUID.randomUUID();
    }

    /** For each floor, the measurement whose median is the middle one. */
    static List<Measured> middles(List<List<Measured>> times) {
        Map<String, List<Measured>> byName = new LinkedHashMap<>();
        times.forEach(time ->
                time.forEach(one ->
                        byName.computeIfAbsent(one.name(), _ -> new ArrayList<>()).add(one)));
        return byName.values().stream()
                .map(same ->
                        same.stream()
                                .sorted(Comparator.comparingDouble(Measured::medianNanos))
                                .toList()
                                .get(same.size() / 2))
                .toList();
    }

    private List<Measured> bare(String kind, String address, String exchanges, int nodes)
            throws IOException, InterruptedException {
        List<Child> children = new ArrayList<>();
        try {
            return read(start(kind, address, exchanges, nodes, children).rest());
        } finally {
            children.forEach(Child::close);
        }
    }

    /**
     * Starts two processes that exchange messages.
     *
     * @param floor name of the floor, which contains the sizes
     * @param children receives both processes; the caller closes them
     * @return the process that prints the floor
     */
    Child startExchange(String floor, List<Child> children) throws IOException {
        return start("exchange", name(), sizes(floor), 2, children);
    }

    private static String sizes(String exchange) {
        return exchange.substring(EXCHANGE.length()).replace('-', ':');
    }

    /** Starts the root, then the other processes with the address that the root prints. */
    private Child start(
            String kind, String address, String exchanges, int nodes, List<Child> children)
            throws IOException {
        Child root = start("root", kind, address, exchanges, Integer.toString(nodes), children);
        String listening = root.line();
        if (listening == null) {
            throw new BenchmarkFailedException("bare channels do not listen at " + address);
        }
        for (int i = 1; i < nodes; i++) {
            start("other", kind, listening, exchanges, Integer.toString(nodes), children);
        }
        return root;
    }

    private Child start(
            String role,
            String kind,
            String address,
            String exchanges,
            String nodes,
            List<Child> children)
            throws IOException {
        List<String> words = List.of(role, kind, address, samples, warmUpMillis, exchanges, nodes);
        Child child = Child.start(prefix, JvmFlags.ours(BareCluster.class.getName(), words));
        children.add(child);
        return child;
    }

    List<Measured> read(List<String> lines) {
        return MeasuredLines.read(lines, context::say);
    }
}
