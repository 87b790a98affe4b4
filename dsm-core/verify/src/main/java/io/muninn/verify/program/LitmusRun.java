package io.muninn.verify.program;

import io.muninn.api.Home;
import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.coherence.ProtocolKind;
import io.muninn.model.BarrierId;
import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.sim.Disruptions;
import io.muninn.sim.Simulation;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.ProtocolTraits;
import io.muninn.spi.ProtocolTraits.MemoryModel;
import io.muninn.spi.ProtocolTraits.Trait;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.Views;
import io.muninn.verify.program.Litmus.Access;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A litmus test for one protocol in one style, run with many seeds; each seed draws delays, pauses
 * before every access, and which nodes the threads are on. Each thread has a process of its own, on
 * a node of its own; if each process has a view of pages, nodes have two processes.
 */
public final class LitmusRun {
    /** How the accesses are synchronized. */
    public enum Style {
        /** No synchronization; copies are fetched by the test's own accesses. */
        BARE,
        /** No synchronization; each node has copies of all pages before the test begins. */
        CACHED,
        /**
         * Each access in a critical section of its own under one lock: no race, but every order of
         * accesses that sequential consistency permits.
         */
        SECTIONS,
        /**
         * The same under one reader-writer lock: loads under its read lock, stores under the other.
         */
        PERMISSIONS,
        /**
         * All accesses of a thread in one critical section: other threads see all of them, or none.
         */
        WHOLE,
        /** Barriers between accesses that conflict: a single outcome. */
        BARRIERS;

        boolean isSynchronized() {
            return this != BARE && this != CACHED;
        }
    }

    /** How often an outcome must be seen. */
    public enum Verdict {
        NEVER,
        SOMETIMES,
        ALWAYS
    }

    /**
     * A statement of the test.
     *
     * @param pattern the outcomes that it describes
     */
    public record Statement(Verdict verdict, String pattern) {}

    /** The outcomes that were seen: the count of each, and the number of runs. */
    public record Seen(Map<String, Integer> counts, int runs) {
        /** The number of runs whose outcome fits a pattern. */
        public int count(String pattern) {
            return counts.entrySet().stream()
                    .filter(entry -> Litmus.fits(entry.getKey(), pattern))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }
    }

    private static final LockId LOCK = new LockId("lock");
    private static final ReadWriteLockId TABLE = new ReadWriteLockId("table");
    private static final BarrierId CACHED = new BarrierId("cached");
    private static final BarrierId STEP = new BarrierId("step");
    private static final BarrierId END = new BarrierId("end");
    private static final int PAUSE_USUAL_MAX = 12;
    private static final int START_USUAL_MAX = 16;
    private static final int CLOG_USUAL_MAX = 40;

    private final Litmus litmus;
    private final ProtocolKind kind;
    private final ProtocolTraits traits;
    private final Style style;
    private final boolean onePage;
    private final int processes;
    private final PoolHosts hosts;
    private final TreeSet<String> allowed;

    /**
     * @param onePage whether all locations are on one page, or each on its own
     */
    public LitmusRun(Litmus litmus, Protocol protocol, Style style, boolean onePage) {
        this(litmus, ProtocolKind.of(protocol), style, onePage);
    }

    /**
     * Creates the runs for a protocol or a variant of one.
     *
     * @param onePage whether all locations are on one page, or each on its own
     */
    public LitmusRun(Litmus litmus, ProtocolKind kind, Style style, boolean onePage) {
        this(litmus, kind, style, onePage, PoolHosts.ONE);
    }

    /**
     * Creates the runs of nodes on one host, or on several.
     *
     * @param onePage whether all locations are on one page, or each on its own
     */
    LitmusRun(Litmus litmus, ProtocolKind kind, Style style, boolean onePage, PoolHosts hosts) {
        this.litmus = litmus;
        this.kind = kind;
        this.traits = kind.traits();
        this.style = style;
        this.onePage = onePage;
        this.hosts = hosts;
        this.processes = kind.needsProcesses() ? 2 : 1;
        allowed =
                isOneMemory()
                        ? SerialModel.outcomes(
                                litmus, style == Style.BARRIERS, style == Style.WHOLE)
                        : racyOutcomes();
    }

    /** The outcomes that are allowed with races. */
    private TreeSet<String> racyOutcomes() {
        boolean cached = style == Style.CACHED;
        if (keepsDiffs()) {
            return LazyModel.outcomes(litmus, onePage, cached);
        }
        if (traits.has(Trait.POOLED)) {
            return PooledModel.outcomes(litmus, onePage, cached, false);
        }
        if (hasHomes()) {
            return HomeBasedModel.outcomes(litmus, onePage, cached);
        }
        if (hasOneWriter() && traits.has(Trait.ACQUIRES_INVALIDATE)) {
            return SingleWriterModel.outcomes(litmus, onePage, cached);
        }
        return hasOneWriter()
                ? PipelinedModel.outcomes(litmus, onePage, cached)
                : WriteSharedModel.outcomes(litmus, onePage, cached);
    }

    public ProtocolKind kind() {
        return kind;
    }

    /** All allowed outcomes; any other must never be seen. */
    public TreeSet<String> allowed() {
        return allowed;
    }

    /**
     * The statements to check, besides that only allowed outcomes are seen. The weak outcome is
     * never seen if no allowed one fits it. A single allowed outcome is always seen. Otherwise some
     * allowed outcomes are seen sometimes: all, if the run is sequentially consistent; the weak one
     * of fewer than four threads, if diffs remain with their writers; those of sequential
     * consistency, if a page has one writer at a time, and the weak one if two threads have cached
     * such a page; else those that the litmus test names, of fewer than three threads if they have
     * cached pages of a pool.
     */
    public List<Statement> statements() {
        List<Statement> statements = new ArrayList<>();
        if (allowed.stream().noneMatch(outcome -> Litmus.fits(outcome, litmus.weak()))) {
            statements.add(new Statement(Verdict.NEVER, litmus.weak()));
        }
        if (allowed.size() == 1) {
            statements.add(new Statement(Verdict.ALWAYS, allowed.first()));
            return statements;
        }
        for (String outcome : shown()) {
            if (allowed.contains(outcome)) {
                statements.add(new Statement(Verdict.SOMETIMES, outcome));
            }
        }
        return statements;
    }

    private Collection<String> shown() {
        if (isOneMemory()) {
            return allowed;
        }
        if (keepsDiffs()) {
            return allowed.stream()
                    .filter(each -> litmus.threads().size() < 4) // more need rare orders
                    .filter(each -> Litmus.fits(each, litmus.weak()))
                    .toList();
        }
        if (hasOneWriter()) {
            TreeSet<String> shown = SerialModel.outcomes(litmus, false, false);
            if (style == Style.CACHED && litmus.threads().size() == 2) {
                allowed.stream()
                        .filter(each -> Litmus.fits(each, litmus.weak()))
                        .forEach(shown::add);
            }
            return shown;
        }
        Collection<String> named = style == Style.CACHED ? litmus.cached() : litmus.bare();
        if (!traits.has(Trait.POOLED)) {
            return named;
        }
        boolean cached = style == Style.CACHED;
        boolean isWhole = hosts == PoolHosts.ONE;
        Set<String> simulated = PooledModel.outcomes(litmus, onePage, cached, isWhole);
        return named.stream()
                .filter(each -> !cached || litmus.threads().size() < 3) // copies seldom end
                .filter(simulated::contains)
                .toList();
    }

    private boolean isOneMemory() {
        return traits.memoryModel() == MemoryModel.SEQUENTIAL_CONSISTENCY || style.isSynchronized();
    }

    private boolean hasOneWriter() {
        return traits.has(Trait.ONE_WRITER);
    }

    private boolean keepsDiffs() {
        return traits.has(Trait.KEEPS_DIFFS);
    }

    private boolean hasHomes() {
        return traits.has(Trait.HOMES);
    }

    /** The statements that do not hold; empty if all do. */
    public List<String> broken(Seen seen) {
        List<String> broken = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : seen.counts().entrySet()) {
            if (!allowed.contains(entry.getKey())) {
                broken.add(
                        this + ": " + entry.getKey() + " is not allowed, seen " + entry.getValue());
            }
        }
        for (Statement statement : statements()) {
            int count = seen.count(statement.pattern());
            boolean holds =
                    switch (statement.verdict()) {
                        case NEVER -> count == 0;
                        case SOMETIMES -> count > 0;
                        case ALWAYS -> count == seen.runs();
                    };
            if (!holds) {
                broken.add(this + ": " + statement + ", seen " + count + " of " + seen.runs());
            }
        }
        return broken;
    }

    @Override
    public String toString() {
        return litmus.name()
                + " "
                + kind.word()
                + " "
                + style
                + (onePage ? ", one page" : ", a page each")
                + (hosts == PoolHosts.ONE ? "" : ", on hosts");
    }

    /** Runs one seed and returns the outcome. */
    public String outcome(long seed) {
        Random random = new Random(SeededRun.spread(seed));
        int threads = litmus.threads().size();
        int nodes = Math.ceilDiv(threads, processes) + random.nextInt(2);
        RandomDelays delays = new RandomDelays(random, random, nodes);
        Consumer<Simulation> trouble =
                random.nextInt(4) == 0
                        ? new Disruptions(random, delays, false)
                        : simulation -> clogSome(simulation, random, delays);
        Program program = program(random, delays, nodes);
        long[] registers = ProgramRun.run(program, delays, trouble, List.of()).registers();
        return Litmus.outcome(registers, litmus.registers());
    }

    /** Clogs some links for longer than two messages on others take. */
    private static void clogSome(Simulation simulation, Random random, RandomDelays delays) {
        int nodes = simulation.nodes().size();
        int oneIn = 2 + random.nextInt(4);
        for (int i = 0; i < nodes * nodes; i++) {
            if (random.nextInt(oneIn) == 0) {
                int link = i;
                long begin = random.nextInt(2 * START_USUAL_MAX) * delays.usualNanos();
                long length = (1 + random.nextInt(CLOG_USUAL_MAX)) * delays.usualNanos();
                long end = simulation.nowNanos() + begin + length;
                simulation.after(begin, () -> simulation.clog(link / nodes, link % nodes, end));
            }
        }
    }

    /**
     * Runs the test with consecutive seeds.
     *
     * @param runsMin least number of runs
     * @param runsMax most runs, if an outcome that must be seen sometimes is missing until then
     */
    public Seen explore(int runsMin, int runsMax) {
        Map<String, Integer> counts = new TreeMap<>();
        List<String> missing = new ArrayList<>();
        for (Statement statement : statements()) {
            if (statement.verdict() == Verdict.SOMETIMES) {
                missing.add(statement.pattern());
            }
        }
        int runs = 0;
        while (runs < runsMin || runs < runsMax && !missing.isEmpty()) {
            String outcome = outcome(runs);
            runs++;
            if (counts.merge(outcome, 1, Integer::sum) == 1) {
                missing.removeIf(pattern -> Litmus.fits(outcome, pattern));
            }
        }
        return new Seen(Collections.unmodifiableMap(counts), runs);
    }

    // --- the program -----------------------------------------------------------------------------

    /** A program for one seed, under construction. */
    private final class Draft {
        final Random random;
        final RandomDelays delays;
        final List<List<Program.Step>> scripts = new ArrayList<>();
        final boolean inTurn;
        int register;

        Draft(Random random, RandomDelays delays, int nodes) {
            this.random = random;
            this.delays = delays;
            inTurn = random.nextBoolean();
            for (int i = 0; i < nodes * processes; i++) {
                scripts.add(new ArrayList<>());
            }
        }

        /** Adds an operation of a process; those of a node have consecutive numbers. */
        void add(int process, Op op) {
            scripts.get(process).add(new Program.Step(0, op));
        }

        /** Adds a pause before an access: often none, sometimes longer than a few faults. */
        void pause(int process) {
            if (random.nextBoolean()) {
                long longest = PAUSE_USUAL_MAX * delays.usualNanos();
                add(process, new Op.Work(RandomDelays.logUniform(random, 1, longest)));
            }
        }

        /**
         * Adds a pause before a thread's first access, so that any thread may be the first, or the
         * last; often they start in order.
         */
        void pauseAtStart(int process, int thread) {
            int turn = inTurn ? 1 + thread : 1;
            int usual = turn * random.nextInt(START_USUAL_MAX);
            if (usual > 0) {
                add(process, new Op.Work(usual * delays.usualNanos()));
            }
        }

        void access(int process, Access access) {
            if (access.isBarrier()) {
                add(process, new Op.Await(STEP, litmus.threads().size()));
                return;
            }
            pause(process);
            boolean isLoad = access.isLoad();
            if (style == Style.SECTIONS) {
                add(process, new Op.Acquire(LOCK, Op.FOR_EVER));
            } else if (style == Style.PERMISSIONS) {
                add(process, new Op.Enter(TABLE, !isLoad, Op.FOR_EVER));
            }
            Variable variable = variable(access.place());
            add(
                    process,
                    isLoad
                            ? new Op.Load(variable, register++)
                            : new Op.Store(variable, access.value()));
            if (style == Style.SECTIONS) {
                add(process, new Op.Release(LOCK));
            } else if (style == Style.PERMISSIONS) {
                add(process, new Op.Leave(TABLE, !isLoad));
            }
        }
    }

    private Program program(Random random, RandomDelays delays, int nodes) {
        Draft draft = new Draft(random, delays, nodes);
        List<List<Access>> threads = litmus.accesses(style == Style.BARRIERS);
        int all = nodes * processes;
        int shift = random.nextInt(all);
        boolean cached = style == Style.CACHED || style.isSynchronized() && random.nextBoolean();
        for (int i = 0; i < threads.size(); i++) {
            int process = (i + shift) % all;
            if (cached) {
                cacheAll(draft, process);
            }
            draft.pauseAtStart(process, i);
            if (style == Style.WHOLE) {
                draft.add(process, new Op.Acquire(LOCK, Op.FOR_EVER));
            }
            threads.get(i).forEach(access -> draft.access(process, access));
            if (style == Style.WHOLE) {
                draft.add(process, new Op.Release(LOCK));
            }
            draft.add(process, new Op.Await(END, threads.size()));
        }
        loadFinals(draft, shift % all);
        loadFinals(draft, (threads.size() - 1 + shift) % all);
        long bytes = (long) RegionSpec.MACHINE_PAGE_BYTES * (onePage ? 1 : litmus.locations());
        Protocol protocol = kind.protocol();
        Home home = RandomLayout.home(random, protocol);
        RegionSpec region =
                new RegionSpec(0, "shared", protocol, 0, bytes, Long.BYTES, 1, home, List.of());
        long holdNanos = delays.wakeNanosMax() + 1;
        Program program =
                new Program(nodes, processes, holdNanos, List.of(region), List.of(), draft.scripts);
        Program ruled =
                program.withProcesses(processes).withUpdates(rules(random, program.updates()));
        return hosts == PoolHosts.ONE || nodes == 1
                ? ruled
                : ruled.withHosts(RandomRules.hosts(random.nextLong(), nodes));
    }

    private UpdateRules rules(Random random, UpdateRules usual) {
        UpdateRules rules = kind.rules(usual);
        if (traits.has(Trait.POSTS_NOTICES)) { // every variant
            rules = kind.rules(usual.withWeak(RandomRules.weak(random.nextLong())));
        }
        return processes > 1 && random.nextBoolean() ? rules.withViews(Views.TAKING) : rules;
    }

    private void cacheAll(Draft draft, int process) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < litmus.locations(); i++) {
            places.add(i);
        }
        Collections.shuffle(places, draft.random);
        for (int place : places) {
            draft.pause(process);
            draft.add(process, new Op.Load(variable(place), Op.NO_REGISTER));
        }
        draft.add(process, new Op.Await(CACHED, litmus.threads().size()));
    }

    private void loadFinals(Draft draft, int process) {
        for (int place : litmus.finalPlaces()) {
            draft.add(process, new Op.Load(variable(place), draft.register++));
        }
    }

    private Variable variable(int place) {
        PageId page = new PageId(0, onePage ? 0 : place);
        return new Variable(page, onePage ? place * Long.BYTES : 0, Long.BYTES);
    }
}
