package io.muninn.kernel;

import io.muninn.api.Comparison;
import io.muninn.api.Home;
import io.muninn.api.Mode;
import io.muninn.api.Op;
import io.muninn.api.Protocol;
import io.muninn.api.remote.RemoteOperations;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.remote.WordKind;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.ConditionId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Bytes;
import io.muninn.spi.Event;
import io.muninn.spi.LazyWriters;
import io.muninn.spi.Outcome;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WeakRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands of a transcript. A line that begins with # is prose, an indented line is an action
 * of the kernels, every other line is a command; {@link #rewrite} replaces the actions by the
 * present ones. {@code docs/HACKING.md} lists the commands.
 */
final class TranscriptScript {
    private static final String PROSE = "#";
    private static final String DEED = "  ";
    private static final long MEBIBYTE = 1L << 20;

    private static final String THREAD = "n(?<node>\\d+)(\\.t(?<thread>\\d+))?";
    private static final String PAGE = "(?<region>\\w+)\\[(?<page>\\d+)]";
    private static final String WORD = PAGE + "\\.(?<word>\\d+)";
    private static final String LINK = "n(?<from>\\d+) -> n(?<to>\\d+)";
    private static final String REMOTE = "remote n(?<home>\\d+):(?<word>\\d+)";
    private static final String CONDITION = "(?<lock>\\w+)/(?<condition>\\w+)";
    private static final String LIMIT = "( for at most (?<limit>\\d+ [um]s))?";

    private record Command(Pattern pattern, Consumer<Matcher> action) {
        Command(String pattern, Consumer<Matcher> action) {
            this(Pattern.compile(pattern), action);
        }
    }

    /** The beginnings of the lines that describe the cluster. */
    private static final Pattern CLUSTER =
            Pattern.compile("nodes |region |remote |update |lazy |weak |packets |hot ");

    private final List<Command> commands = commands();
    private final List<RegionSpec> regions = new ArrayList<>();
    private final Set<ManualThread> knownToWait = new HashSet<>();
    private int nodes;
    private int threads = 1;
    private int remoteWords; // at each node
    private int processes = 1; // of one thread each, if there are several
    private UpdateRules updates = UpdateRules.PLAIN;
    private AdaptiveTwinRules twins = AdaptiveTwinRules.OFF;
    private TranscriptWriter writer;
    private ManualCluster cluster;

    private TranscriptScript() {}

    private List<Command> commands() {
        return List.of(
                new Command(
                        "nodes (?<nodes>\\d+)( of (?<threads>\\d+) (?<what>threads|processes))?",
                        this::nodes),
                new Command(
                        "region (?<name>\\w+) (?<protocol>[a-z-]+) (?<pages>\\d+) pages?"
                                + "( with home (?<home>[a-z-]+))?",
                        this::region),
                new Command("update timeout (?<time>\\d+ [um]s)", this::updateTimeout),
                new Command("lazy data of (?<bytes>\\d+) bytes", this::lazyData),
                new Command("lazy pages have one writer", _ -> lazyPagesHaveOneWriter()),
                new Command(
                        "weak pages with notices at each publish, unsafe after (?<unsafe>\\d+),"
                                + " safe after (?<safe>\\d+)(?<pool>, over a pool)?",
                        this::weakPages),
                new Command("packets of (?<bytes>\\d+) bytes", this::packets),
                new Command("hot after (?<hot>\\d+), cold after (?<cold>\\d+)", this::hot),
                new Command("given (?<command>.+)", this::given),
                new Command(THREAD + " loads " + WORD + "( = (?<value>\\d+))?", this::loads),
                new Command(THREAD + " stores " + WORD + " = (?<value>\\d+)", this::stores),
                new Command(
                        THREAD
                                + " prefetches "
                                + PAGE
                                + "(?:, (?<count>\\d+) pages,)? to (?<mode>\\w+)",
                        this::prefetches),
                new Command(THREAD + " acquires (?<lock>\\w+)" + LIMIT, this::acquires),
                new Command(THREAD + " releases (?<lock>\\w+)", this::releases),
                new Command(
                        THREAD + " (?<mode>reads|writes) under (?<lock>\\w+)" + LIMIT,
                        this::enters),
                new Command(
                        THREAD + " ends (?<mode>reading|writing) under (?<lock>\\w+)",
                        this::leaves),
                new Command(THREAD + " downgrades (?<lock>\\w+)", this::downgrades),
                new Command(THREAD + " arrives at (?<barrier>\\w+)" + LIMIT, this::arrives),
                new Command(THREAD + " awaits " + CONDITION + LIMIT, this::awaits),
                new Command("remote words (?<words>\\d+) at each node", this::remoteWords),
                new Command(
                        THREAD + " adds (?<value>\\d+) to " + REMOTE + "(?<answer>, with answer)?",
                        this::addsRemote),
                new Command(THREAD + " fences", this::fences),
                new Command(
                        THREAD + " awaits " + REMOTE + " = (?<value>\\d+)" + LIMIT,
                        this::awaitsRemote),
                new Command(THREAD + " signals (?<all>all at )?" + CONDITION, this::signals),
                new Command(
                        THREAD + " sends n(?<to>\\d+) tag (?<tag>\\d+): (?<body>.+)", this::sends),
                new Command(
                        THREAD + " receives tag (?<tag>\\d+)( from n(?<from>\\d+))?",
                        this::receives),
                new Command(THREAD + " seals", this::seals),
                new Command(THREAD + " waits", this::waits),
                new Command("deliver " + LINK, this::deliver),
                new Command("deliver all", _ -> cluster.settleNow()),
                new Command("hold " + LINK, m -> cluster.hold(index(m, "from"), index(m, "to"))),
                new Command("free " + LINK, m -> cluster.free(index(m, "from"), index(m, "to"))),
                new Command("time passes (?<time>\\d+ [um]s)", m -> cluster.pass(nanos(m, "time"))),
                new Command("show " + PAGE, m -> writer.show(cluster.nodes(), page(m))));
    }

    /**
     * Returns the transcript with the present actions of its commands.
     *
     * @throws AssertionError naming the line, if a command cannot be performed or its check fails
     */
    static String rewrite(String transcript) {
        TranscriptScript script = new TranscriptScript();
        List<String> rewritten = new ArrayList<>();
        int number = 0;
        for (String line : transcript.lines().toList()) {
            number++;
            if (!line.startsWith(DEED)) {
                rewritten.add(line);
                rewritten.addAll(script.deedsOf(number, line));
            }
        }
        script.end();
        return String.join("\n", rewritten) + "\n";
    }

    private List<String> deedsOf(int number, String line) {
        if (line.isBlank() || line.startsWith(PROSE)) {
            return List.of();
        }
        try {
            perform(line);
        } catch (AssertionError | RuntimeException cause) {
            String deeds = cluster == null ? "" : String.join("\n", writer.takeLines());
            throw new AssertionError(
                    "line " + number + ": " + line + ": " + cause.getMessage() + "\n" + deeds,
                    cause);
        }
        return cluster == null ? List.of() : writer.takeLines();
    }

    private void perform(String line) {
        for (Command command : commands) {
            Matcher matcher = command.pattern().matcher(line);
            if (matcher.matches()) {
                begin(line);
                command.action().accept(matcher);
                return;
            }
        }
        throw new AssertionError("not a command");
    }

    /** Starts the nodes at the first command that does not describe the cluster itself. */
    private void begin(String line) {
        if (!CLUSTER.matcher(line).lookingAt() && cluster == null) {
            writer = new TranscriptWriter(regions, threads, processes);
            cluster =
                    new ManualCluster(
                            nodes,
                            threads,
                            processes,
                            updates.forProcesses(processes),
                            twins,
                            regions,
                            ManualCluster.checkers(writer));
            cluster.nodes().forEach(node -> node.remotes().allocate(8L * remoteWords));
        }
        if (!line.endsWith(" waits")) {
            knownToWait.clear();
        }
    }

    /**
     * Checks that no message is in transit, and that no thread waits unless the transcript states
     * it.
     */
    private void end() {
        if (cluster == null) {
            throw new AssertionError("no command was performed");
        }
        if (!cluster.isQuiet()) {
            throw new AssertionError("at the end messages are on their way");
        }
        for (int node = 0; node < nodes; node++) {
            for (int i = 0; i < threads; i++) {
                ManualThread thread = cluster.thread(node, i);
                if (!thread.isDone() && !knownToWait.contains(thread)) {
                    throw new AssertionError(
                            "at the end thread " + i + " of n" + node + " still waits");
                }
            }
        }
    }

    private void nodes(Matcher command) {
        checkNotStarted();
        nodes = index(command, "nodes");
        threads = command.group("threads") == null ? 1 : index(command, "threads");
        processes = "processes".equals(command.group("what")) ? threads : 1;
    }

    private void updateTimeout(Matcher command) {
        checkNotStarted();
        updates = new UpdateRules(nanos(command, "time"), updates.packetBytes());
    }

    private void lazyData(Matcher command) {
        checkNotStarted();
        updates = updates.withLazyBytes(index(command, "bytes"));
    }

    private void lazyPagesHaveOneWriter() {
        checkNotStarted();
        updates = updates.withLazyWriters(LazyWriters.SINGLE);
    }

    private void weakPages(Matcher command) {
        checkNotStarted();
        WeakRules usual = WeakRules.DEFAULT;
        WeakRules rules =
                new WeakRules(
                        usual.transition(),
                        usual.lists(),
                        WeakRules.Notices.PUBLISH,
                        index(command, "unsafe"),
                        index(command, "safe"));
        updates = updates.withWeak(command.group("pool") == null ? rules : rules.pooled());
    }

    private void packets(Matcher command) {
        checkNotStarted();
        updates = new UpdateRules(updates.timeoutNanos(), index(command, "bytes"));
    }

    private void hot(Matcher command) {
        checkNotStarted();
        twins = new AdaptiveTwinRules(index(command, "hot"), index(command, "cold"));
    }

    private void region(Matcher command) {
        checkNotStarted();
        String home = command.group("home") == null ? "banded" : command.group("home");
        regions.add(
                ManualCluster.region(
                        regions.size(),
                        command.group("name"),
                        Protocol.valueOf(constant(command.group("protocol"))),
                        index(command, "pages"),
                        Home.valueOf(constant(home))));
    }

    private void remoteWords(Matcher command) {
        checkNotStarted();
        remoteWords = index(command, "words");
    }

    private static String constant(String word) {
        return word.replace('-', '_').toUpperCase(Locale.ROOT);
    }

    private void checkNotStarted() {
        if (cluster != null) {
            throw new AssertionError("the nodes have started");
        }
    }

    /** Performs a command and all that follows from it, without showing it. */
    private void given(Matcher command) {
        perform(command.group("command"));
        cluster.settleNow();
        writer.takeLines();
    }

    private void loads(Matcher command) {
        String place = place(command);
        String expected = command.group("value");
        idleThread(command)
                .load(
                        page(command),
                        index(command, "word"),
                        value -> {
                            tell(command, "has loaded " + place + ": " + value);
                            if (expected != null && value != Long.parseLong(expected)) {
                                throw new AssertionError(
                                        place + " is " + value + ", not " + expected);
                            }
                        });
        cluster.runAll();
    }

    private void stores(Matcher command) {
        String stored = place(command) + " = " + command.group("value");
        idleThread(command)
                .store(
                        page(command),
                        index(command, "word"),
                        Long.parseLong(command.group("value")))
                .tell(() -> tell(command, "has stored " + stored));
        cluster.runAll();
    }

    private void prefetches(Matcher command) {
        Mode mode = Mode.valueOf(constant(command.group("mode")));
        String count = command.group("count");
        int pages = count == null ? 1 : Integer.parseInt(count);
        idleThread(command).prefetch(page(command), pages, mode);
        cluster.runAll();
    }

    private void acquires(Matcher command) {
        ManualThread thread = idleThread(command);
        LockId lock = new LockId(command.group("lock"));
        int before = thread.outcomes().size();
        thread.acquire(lock, limit(command))
                .tell(() -> {
                    boolean asked = thread.outcomes().size() > before;
                    boolean has = !asked || isDone(thread);
                    tell(command, has ? "has " + lock : "goes on without " + lock);
                });
        cluster.runAll();
    }

    private void releases(Matcher command) {
        LockId lock = new LockId(command.group("lock"));
        idleThread(command).release(lock).tell(() -> tell(command, "has released " + lock));
        cluster.runAll();
    }

    private void enters(Matcher command) {
        ManualThread thread = idleThread(command);
        ReadWriteLockId lock = new ReadWriteLockId(command.group("lock"));
        String mode = command.group("mode");
        int before = thread.outcomes().size();
        thread.enter(lock, mode.equals("writes"), limit(command))
                .tell(() -> {
                    boolean asked = thread.outcomes().size() > before;
                    boolean has = !asked || isDone(thread);
                    tell(command, has ? mode + " under " + lock : "goes on without " + lock);
                });
        cluster.runAll();
    }

    private void leaves(Matcher command) {
        ReadWriteLockId lock = new ReadWriteLockId(command.group("lock"));
        String mode = command.group("mode");
        idleThread(command)
                .leave(lock, mode.equals("writing"))
                .tell(() -> tell(command, "has ended " + mode + " under " + lock));
        cluster.runAll();
    }

    private void downgrades(Matcher command) {
        ReadWriteLockId lock = new ReadWriteLockId(command.group("lock"));
        idleThread(command)
                .downgrade(lock)
                .tell(() -> tell(command, "goes on as a reader under " + lock));
        cluster.runAll();
    }

    private void arrives(Matcher command) {
        ManualThread thread = idleThread(command);
        BarrierId barrier = new BarrierId(command.group("barrier"));
        thread.await(barrier, Event.ALL_PARTIES, limit(command))
                .tell(() ->
                        tell(command, (isDone(thread) ? "has" : "has not") + " passed " + barrier));
        cluster.runAll();
    }

    /** Holds the lock before and after. */
    private void awaits(Matcher command) {
        ManualThread thread = idleThread(command);
        ConditionId condition = condition(command);
        thread.enterCondition(condition)
                .release(condition.lock())
                .tell(() -> tell(command, "has released " + condition.lock()))
                .awaitSignal(condition, limit(command))
                .tell(() ->
                        tell(
                                command,
                                (isDone(thread) ? "has" : "has not")
                                        + " been signalled at "
                                        + condition))
                .acquire(condition.lock())
                .tell(() -> tell(command, "has " + condition.lock()));
        cluster.runAll();
    }

    private void signals(Matcher command) {
        ConditionId condition = condition(command);
        idleThread(command)
                .signal(condition, command.group("all") != null)
                .tell(() -> tell(command, "has signalled " + condition));
        cluster.runAll();
    }

    /** Directly, if the home is the thread's own node. */
    private void addsRemote(Matcher command) {
        ManualThread thread = idleThread(command);
        int home = index(command, "home");
        boolean hasAnswer = command.group("answer") != null;
        long offset = (long) Long.BYTES * index(command, "word");
        long value = index(command, "value");
        RemoteOperations one = new RemoteOperations();
        if (hasAnswer) {
            one.getAndUpdate(WordKind.LONG, offset, Op.SUM, value);
        } else {
            one.update(WordKind.LONG, offset, Op.SUM, value);
        }
        Bytes operation = new Bytes(one.take());
        if (home == index(command, "node")) {
            thread.directRemote(operation).tell(() -> tell(command, "has added directly"));
        } else if (hasAnswer) {
            thread.remote(home, operation)
                    .tell(() -> tell(command, "has added; before: " + before(thread)));
        } else {
            thread.postRemote(home, operation).tell(() -> tell(command, "goes on"));
        }
        cluster.runAll();
    }

    private static long before(ManualThread thread) {
        Outcome.Delivered answer = (Outcome.Delivered) thread.outcomes().getLast();
        return RemoteOperations.value(answer.body().array(), 0);
    }

    private void fences(Matcher command) {
        idleThread(command).fence().tell(() -> tell(command, "is behind its fence"));
        cluster.runAll();
    }

    private void awaitsRemote(Matcher command) {
        ManualThread thread = idleThread(command);
        WordCondition condition =
                new WordCondition(
                        WordKind.LONG,
                        (long) Long.BYTES * index(command, "word"),
                        Comparison.EQUAL,
                        index(command, "value"));
        thread.awaitRemote(index(command, "home"), condition, limit(command))
                .tell(() ->
                        tell(
                                command,
                                isDone(thread)
                                        ? "has seen the value"
                                        : "goes on without the value"));
        cluster.runAll();
    }

    private static ConditionId condition(Matcher command) {
        return new ConditionId(new LockId(command.group("lock")), command.group("condition"));
    }

    private void sends(Matcher command) {
        idleThread(command)
                .send(index(command, "to"), index(command, "tag"), body(command.group("body")))
                .tell(() -> tell(command, "has sent its letter"));
        cluster.runAll();
    }

    private void receives(Matcher command) {
        ManualThread thread = idleThread(command);
        int from = command.group("from") == null ? Event.ANY_NODE : index(command, "from");
        thread.receive(from, index(command, "tag"))
                .tell(() -> tell(command, "has received " + received(thread.outcomes().getLast())));
        cluster.runAll();
    }

    private void seals(Matcher command) {
        idleThread(command).seal().tell(() -> tell(command, "has sealed what it initialized"));
        cluster.runAll();
    }

    private void waits(Matcher command) {
        ManualThread thread = thread(command);
        if (thread.isDone()) {
            throw new AssertionError("it does not wait");
        }
        knownToWait.add(thread);
    }

    private void deliver(Matcher command) {
        cluster.deliver(index(command, "from"), index(command, "to"));
    }

    private ManualThread idleThread(Matcher command) {
        ManualThread thread = thread(command);
        if (!thread.isDone()) {
            throw new AssertionError("it has not done what it was told before");
        }
        return thread;
    }

    private ManualThread thread(Matcher command) {
        return cluster.thread(index(command, "node"), threadIndex(command));
    }

    private void tell(Matcher command, String deed) {
        writer.tell(index(command, "node"), threadIndex(command), deed);
    }

    private static int threadIndex(Matcher command) {
        return command.group("thread") == null ? 0 : index(command, "thread");
    }

    private PageId page(Matcher command) {
        String name = command.group("region");
        return regions.stream()
                .filter(region -> region.name().equals(name))
                .findFirst()
                .map(region -> new PageId(region.index(), index(command, "page")))
                .orElseThrow(() -> new AssertionError("no region " + name));
    }

    private static String place(Matcher command) {
        return "%s[%s].%s"
                .formatted(command.group("region"), command.group("page"), command.group("word"));
    }

    private static boolean isDone(ManualThread thread) {
        return thread.outcomes().getLast() instanceof Outcome.Done;
    }

    private static String received(Outcome outcome) {
        return outcome instanceof Outcome.Delivered(int from, Bytes body)
                ? (body.length() < MEBIBYTE
                                ? "\"" + new String(body.array(), StandardCharsets.UTF_8) + "\""
                                : body.length() / MEBIBYTE + " MiB")
                        + " from n"
                        + from
                : "nothing";
    }

    /** Text, or zeros: {@code 1 MiB}. */
    private static Bytes body(String text) {
        Matcher size = Pattern.compile("(\\d+) MiB").matcher(text);
        return size.matches()
                ? new Bytes(new byte[Integer.parseInt(size.group(1)) * (int) MEBIBYTE])
                : new Bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    private static long limit(Matcher command) {
        return command.group("limit") == null ? ManualThread.FOR_EVER : nanos(command, "limit");
    }

    private static long nanos(Matcher command, String group) {
        String[] time = command.group(group).split(" ");
        return Long.parseLong(time[0]) * (time[1].equals("us") ? 1_000 : 1_000_000);
    }

    private static int index(Matcher command, String group) {
        return Integer.parseInt(command.group(group));
    }
}
