package io.muninn.bench;

import io.muninn.apps.Turns;
import io.muninn.bench.series.Measured;
import io.muninn.bench.series.TurnGiver;
import io.muninn.launch.process.LiveRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures what checksums and TLS cost: operations and programs on two nodes in two {@linkplain
 * NamespacePair network namespaces}, each on a processor of its own, and operations on two nodes of
 * one host, whose agents are linked by a Unix socket.
 *
 * <p>The clusters of all ways are up at the same time and take {@linkplain Turns turns}. Compiled
 * code differs from process to process, so several sets of clusters follow each other.
 */
final class LinkRuns {
    private static final int NODES = 2;
    private static final int SECRET_BYTES = 32;

    /** In namespaces of their own, ports cannot be taken; each way has one. */
    private static final int FIRST_PORT = 7000;

    /** Sets of clusters that measure operations. */
    private static final int SETS = 4;

    private static final int QUICK_SETS = 1;

    /** Repetitions of a program, of which the first one is not counted. */
    private static final int REPEAT = 16;

    private static final int QUICK_REPEAT = 2;

    private static final int WARM_UP_MILLIS = 15_000;

    /** Timeout for start and warm-up together, and for each turn. */
    private static final int PATIENCE_MILLIS = 300_000;

    private static final List<Group> GROUPS = List.of(Group.FAULTS, Group.LOCKS, Group.BARRIERS);

    /** In the order in which the sections measure them. */
    private static final List<String> OPERATIONS =
            List.of("fault-read-remote", "lock-passed", "barrier-2");

    private static final List<Program> PROGRAMS =
            List.of(
                    new Program(
                            "diff",
                            "diff --rows 1024 --columns 1024 --sweeps 100",
                            "diff --rows 64 --columns 64 --sweeps 3"),
                    new Program("cg", "cg --size 14000 --iterations 200", "cg --iterations 3"));

    private final BenchContext context;
    private final LiveRuns live;

    LinkRuns(BenchContext context) {
        this.context = context;
        live = new LiveRuns(context);
    }

    /**
     * A program that repeats in the same processes.
     *
     * @param quick words for a quick run
     */
    private record Program(String name, String words, String quick) {}

    /** Whether a row is that of a program. */
    static boolean isProgram(String name) {
        return PROGRAMS.stream().anyMatch(program -> program.name().equals(name));
    }

    /** Two nodes whose link is as a way says; returns the run of the root. */
    private interface Cluster {
        LiveRun run(LinkWay way, List<String> prefix, List<String> words)
                throws IOException, InterruptedException;
    }

    /** Makes the socket at which the roots of clusters wait for their turns. */
    private interface Doors {
        ServerSocket open() throws IOException, InterruptedException;
    }

    private record Site(LinkRow.Place place, List<LinkWay> ways, Cluster cluster, Doors doors) {}

    void run() throws IOException, InterruptedException {
        context.attempt("links between hosts", this::betweenHosts);
        context.attempt("links of one host", this::onOneHost);
    }

    private void betweenHosts() throws IOException, InterruptedException {
        List<Integer> processors = Placement.allowed();
        if (processors.size() < NODES) {
            throw new BenchmarkFailedException(
                    "each node needs a processor of its own, and there is one");
        }
        Path secret = secret();
        List<LinkWay> ways = List.of(LinkWay.values());
        try (NamespacePair hosts = NamespacePair.create();
                ExecutorService runners = Executors.newCachedThreadPool()) {
            Cluster cluster =
                    (way, prefix, words) -> {
                        Node other = new Node(1, hosts, processors, secret, way);
                        Node root = new Node(0, hosts, processors, secret, way);
                        Future<LiveRun> others = runners.submit(() -> run(other, prefix, words));
                        LiveRun ran = run(root, prefix, words);
                        LiveRun ended = result(others);
                        return ran.status() == 0 && ended.status() != 0 ? ended : ran;
                    };
            Doors doors = () -> hosts.serverSocket(ways.size());
            Site site = new Site(LinkRow.Place.HOSTS, ways, cluster, doors);
            operations(site);
            for (Program program : PROGRAMS) {
                program(site, program);
            }
        } finally {
            Files.deleteIfExists(secret);
        }
    }

    /** A node in its namespace, on its processor. */
    private record Node(
            int id, NamespacePair hosts, List<Integer> processors, Path secret, LinkWay way) {
        List<String> prefix() {
            List<String> words = new ArrayList<>(hosts.prefix(id));
            words.addAll(Placement.prefix(processors.get(id)));
            return words;
        }

        List<String> options() {
            List<String> options =
                    new ArrayList<>(
                            List.of(
                                    "--id=" + id,
                                    "--nodes=" + NODES,
                                    "--root=" + hosts.address(0) + ":" + port(),
                                    "--secret-file=" + secret));
            options.addAll(way.ofNode());
            return options;
        }

        private int port() {
            return FIRST_PORT + way.ordinal();
        }
    }

    private LiveRun run(Node node, List<String> prefix, List<String> words)
            throws InterruptedException {
        List<String> all = new ArrayList<>(node.prefix());
        all.addAll(prefix);
        return LiveRun.node(all, LiveRuns.options(context, node.options()), words);
    }

    /** A file with a random secret that only its owner can read. */
    private Path secret() throws IOException {
        byte[] bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        Path file = context.scratch().newFile(".secret");
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, HexFormat.of().formatHex(bytes) + "\n");
    }

    /** One agent for each node, so that there is a link between them; all on one processor. */
    private void onOneHost() throws IOException, InterruptedException {
        List<LinkWay> ways = List.of(LinkWay.BARE, LinkWay.CHECKSUMS);
        Cluster cluster =
                (way, prefix, words) -> {
                    List<String> all = new ArrayList<>(Placement.ONE_CPU.prefix());
                    all.addAll(prefix);
                    List<String> options = new ArrayList<>(List.of("--agents", "node"));
                    options.addAll(way.ofRun());
                    return LiveRun.of(all, NODES, LiveRuns.options(context, options), words);
                };
        Doors doors = () -> new ServerSocket(0, ways.size(), InetAddress.getLoopbackAddress());
        operations(new Site(LinkRow.Place.ONE_HOST, ways, cluster, doors));
    }

    /** Measures all operations, with several sets of clusters. */
    private void operations(Site site) throws IOException, InterruptedException {
        Map<String, Map<LinkWay, List<Double>>> nanos = new LinkedHashMap<>(); // by operation
        int sets = context.isQuick() ? QUICK_SETS : SETS;
        for (int set = 1; set <= sets; set++) {
            context.say("links, " + site.place().words() + ", " + set + " of " + sets);
            byTurns(site, Optional.empty(), way -> words(file(way)));
            for (LinkWay way : site.ways()) {
                List<String> lines = Files.readAllLines(file(way));
                Files.delete(file(way));
                for (Measured each : MeasuredLines.read(lines, context::say)) {
                    nanos.computeIfAbsent(each.name(), _ -> new EnumMap<>(LinkWay.class))
                            .computeIfAbsent(way, _ -> new ArrayList<>())
                            .add(each.medianNanos());
                }
            }
        }
        for (Map.Entry<String, Map<LinkWay, List<Double>>> operation : nanos.entrySet()) {
            add(site, operation.getKey(), operation.getValue());
        }
    }

    /** Where the cluster of a way writes what it has measured. */
    private Path file(LinkWay way) {
        return context.scratch().path().resolve(way.word() + ".lines");
    }

    private List<String> words(Path file) {
        int warmUp = Math.min(LiveRuns.warmUpMillis(context), WARM_UP_MILLIS);
        List<String> words = live.words(GROUPS, warmUp);
        words.addAll(List.of("--operations", String.join(",", OPERATIONS)));
        words.addAll(List.of("--results", file.toString()));
        return words;
    }

    private void program(Site site, Program program) throws IOException, InterruptedException {
        context.say("links, " + site.place().words() + ", " + program.name());
        String line = context.isQuick() ? program.quick() : program.words();
        int repeat = context.isQuick() ? QUICK_REPEAT : REPEAT;
        List<String> words = new ArrayList<>(Arrays.asList(line.split(" ")));
        words.addAll(List.of("--repeat", Integer.toString(repeat)));
        Map<LinkWay, List<Double>> nanos = new EnumMap<>(LinkWay.class);
        byTurns(site, Optional.of(repeat), _ -> words)
                .forEach((way, run) -> {
                    List<Double> all = AppRuns.repetitions(run.output());
                    nanos.put(way, all.subList(1, all.size()));
                });
        add(site, program.name(), nanos);
    }

    private void add(Site site, String name, Map<LinkWay, List<Double>> nanos) throws IOException {
        context.results().add(new LinkRow(name, site.place(), nanos));
        context.save();
    }

    private interface Words {
        List<String> of(LinkWay way);
    }

    /**
     * Runs the clusters of all ways concurrently; only the one whose turn it is makes progress.
     *
     * @param repeat turns of each cluster; empty if it says itself which is the last of each
     *     operation
     */
    private Map<LinkWay, LiveRun> byTurns(Site site, Optional<Integer> repeat, Words words)
            throws IOException, InterruptedException {
        Map<LinkWay, Future<LiveRun>> runs = new EnumMap<>(LinkWay.class);
        Optional<IOException> broken = Optional.empty();
        try (ExecutorService runners = Executors.newFixedThreadPool(site.ways().size());
                ServerSocket door = site.doors().open()) {
            for (LinkWay way : site.ways()) {
                runs.put(way, runners.submit(() -> run(site, way, words.of(way), door)));
            }
            try {
                give(door, site.ways().size(), repeat);
            } catch (IOException cause) {
                broken = Optional.of(cause); // the output of the runs is more informative
            }
        }
        Map<LinkWay, LiveRun> ended = new EnumMap<>(LinkWay.class);
        for (Map.Entry<LinkWay, Future<LiveRun>> run : runs.entrySet()) {
            ended.put(run.getKey(), good(result(run.getValue())));
        }
        if (broken.isPresent()) {
            throw new BenchmarkFailedException("turns: " + broken.get(), broken.get());
        }
        return ended;
    }

    /**
     * @param door closed at the end, so that the turn giver does not wait for a run that did not
     *     connect
     */
    private static LiveRun run(Site site, LinkWay way, List<String> words, ServerSocket door)
            throws IOException, InterruptedException {
        try (door) {
            List<String> prefix = List.of("env", Turns.PORT + "=" + door.getLocalPort());
            return site.cluster().run(way, prefix, words);
        }
    }

    private static void give(ServerSocket door, int clusters, Optional<Integer> repeat)
            throws IOException {
        for (int i = 0; i < (repeat.isPresent() ? 1 : OPERATIONS.size()); i++) {
            try (TurnGiver giver = new TurnGiver(door, PATIENCE_MILLIS)) {
                giver.admit(clusters);
                giver.give(repeat.orElse(Integer.MAX_VALUE));
            }
        }
    }

    private LiveRun good(LiveRun run) {
        if (!run.isGood()) {
            throw new BenchmarkFailedException("the run failed:\n" + run.output());
        }
        run.report()
                .ifPresent(report -> context.results().engine(report.get("engine").getAsString()));
        return run;
    }

    private static LiveRun result(Future<LiveRun> run) throws InterruptedException {
        try {
            return run.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException(failed.getCause());
        }
    }
}
