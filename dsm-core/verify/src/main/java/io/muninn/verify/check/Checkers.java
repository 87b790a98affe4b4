package io.muninn.verify.check;

import io.muninn.sim.Observer;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The checkers of the simulator, and the promise that each checks. */
public final class Checkers {
    /**
     * A row of the table of checkers.
     *
     * @param name the checker's name in violations
     * @param promise the promise that it checks
     */
    public record Line(String name, String promise) {}

    private static final List<Line> TABLE =
            List.of(
                    new Line(
                            OneWriter.NAME,
                            "while a node may store, no other has access, or its copy is told to"
                                    + " end; a migratory page is in one place"),
                    new Line(
                            Copysets.NAME,
                            "whoever owns a page knows every copy; closure reaches every holder"),
                    new Line(
                            ProbableOwners.NAME,
                            "hints lead from every node to one that can answer, never in a circle"),
                    new Line(
                            Twins.NAME,
                            "dirty pages have a twin, no others; no access beyond the state's"),
                    new Line(
                            ServedImages.NAME,
                            "whatever an image says, a later diff can take back"),
                    new Line(
                            UpdatesArrive.NAME,
                            "what all have acknowledged is in every copy; no copy goes back"),
                    new Line(
                            Tokens.NAME,
                            "each lock has one token, in one place, and one holder at most"),
                    new Line(
                            BarrierFalls.NAME,
                            "no barrier falls before all parties have come, and then for all"),
                    new Line(
                            Signals.NAME,
                            "signals leave after the flush, wake whom they choose, the oldest"
                                    + " first, and no others"),
                    new Line(
                            Calls.NAME,
                            "an object's calls run one at a time, in each caller's order, and are"
                                    + " answered once; they and their replies leave after the"
                                    + " flush"),
                    new Line(TimelyFlush.NAME, "what was released inside a node leaves it in time"),
                    new Line(
                            WitnessOrder.NAME,
                            "sequential consistency: a load gives the last store in witness order"),
                    new Line(
                            ReleaseConsistency.NAME,
                            "release consistency: no load gives what happened-before has"
                                    + " overwritten"),
                    new Line(
                            ReportedRaces.NAME,
                            "a race that is reported is one of stores that nothing orders"),
                    new Line(
                            MemoryOracle.NAME,
                            "at barriers for all and at the end every copy equals one memory"),
                    new Line(
                            ForgottenWaiters.NAME,
                            "whoever waits, something is under way that will wake it"),
                    new Line(
                            TableChecker.NAME,
                            "whatever happens is in the tables, and not called impossible there"),
                    new Line(
                            Letters.NAME,
                            "letters come once and in order, windows are kept, and who waits for"
                                    + " credit is remembered"),
                    new Line(
                            BrokenBarriers.NAME,
                            "a barrier breaks for a reason only, and no time-out is forgotten"),
                    new Line(
                            Reductions.NAME,
                            "whoever contributes gets what comes of its round, combined by node"
                                    + " and thread; nobody else does"),
                    new Line(
                            WaitTimers.NAME,
                            "a wait with a limit has its timer while it lasts, and no other has"
                                    + " one"),
                    new Line(
                            LockBounds.NAME,
                            "16 of a node's own threads get a lock before another node that waits"),
                    new Line(
                            ToldWhenDone.NAME,
                            "what a message says of its sender's page is so when it leaves"),
                    new Line(
                            CopiesLearnt.NAME,
                            "write-shared: what a message says of copies is known, and never"
                                    + " forgotten"),
                    new Line(
                            Timers.NAME,
                            "a timer that runs is not armed again, but for hold times"),
                    new Line(
                            PostedCalls.NAME,
                            "so many calls are posted at a time, and a caller waits only then"),
                    new Line(
                            Batches.NAME,
                            "write-shared: a batch of updates is as small as promised, and grows"
                                    + " only when it was full"),
                    new Line(
                            KeptTwins.NAME,
                            "write-shared: a page keeps its twin after so many dirty intervals,"
                                    + " and so long"),
                    new Line(
                            AheadRequests.NAME,
                            "whoever goes through a region from its first fault on is read ahead"
                                    + " of; nobody is where it is off"),
                    new Line(
                            EffectResults.NAME,
                            "what effects find out comes back once, in their order; sealing waits"
                                    + " for it"),
                    new Line(
                            HoldTimes.NAME,
                            "who has obtained a page to store to it keeps it until the threads"
                                    + " that stopped there have gone on, or for the hold time"),
                    new Line(
                            FetchedCopies.NAME,
                            "a copy that was fetched stays for the hold time, until it is used"),
                    new Line(
                            WokenThreads.NAME,
                            "a thread that is woken at a page and waits for a processor uses it"
                                    + " before a release or an acquire takes it"),
                    new Line(
                            ViewAccess.NAME,
                            "a process with a view of its own can use only pages that satisfy it;"
                                    + " an image satisfies all processes of its node"),
                    new Line(
                            PublishedViews.NAME,
                            "a process covers what it is said to cover, when its pages are"
                                    + " withdrawn"),
                    new Line(
                            Siblings.NAME,
                            "no process has more access than its node, or loses it with a sibling"),
                    new Line(
                            LazyBounds.NAME,
                            "who keeps more for others than the bound has it collected"),
                    new Line(
                            RunQueues.NAME,
                            "a processor runs one thread at a time, none waits while one is free,"
                                    + " and all their time is charged once; the times of a thread"
                                    + " add up to its end"));

    private Checkers() {}

    /** Creates all checkers for one run, in the order in which they must be notified. */
    public static List<Observer> all() {
        return all(new Coverage());
    }

    /**
     * Creates all checkers for one run, in the order in which they must be notified.
     *
     * @param coverage takes the cells of state × event tables that the run hits, when it ends
     */
    public static List<Observer> all(Coverage coverage) {
        ClusterView overview = new ClusterView();
        OneMemory memory = new OneMemory(overview);
        VectorTimestamps timestamps = new VectorTimestamps();
        Stores stores = new Stores(overview, timestamps);
        return List.of(
                overview,
                memory,
                timestamps,
                stores,
                new OneWriter(overview),
                new Copysets(overview),
                new ProbableOwners(overview),
                new Twins(overview),
                new ServedImages(),
                new UpdatesArrive(overview),
                new Tokens(),
                new BarrierFalls(),
                new Signals(),
                new Calls(),
                new TimelyFlush(),
                new WitnessOrder(overview, memory),
                new ReleaseConsistency(overview, timestamps, stores),
                new ReportedRaces(overview, stores),
                new MemoryOracle(overview, memory, stores),
                new ForgottenWaiters(overview),
                new TableChecker(overview, coverage),
                new Letters(),
                new BrokenBarriers(),
                new Reductions(),
                new WaitTimers(),
                new LockBounds(),
                new ToldWhenDone(),
                new CopiesLearnt(overview),
                new Timers(),
                new PostedCalls(),
                new Batches(),
                new KeptTwins(overview),
                new AheadRequests(overview),
                new EffectResults(),
                new HoldTimes(overview),
                new FetchedCopies(overview),
                new WokenThreads(overview),
                new ViewAccess(overview),
                new PublishedViews(),
                new Siblings(overview),
                new LazyBounds(),
                new RunQueues());
    }

    /**
     * Creates the checkers of pages, locks and barriers that do not need the values of loads and
     * stores: for programs whose loads and stores are not reported.
     *
     * @param coverage takes the cells of state × event tables that the run hits, when it ends
     */
    public static List<Observer> withoutValues(Coverage coverage) {
        ClusterView overview = new ClusterView();
        return List.of(
                overview,
                new OneWriter(overview),
                new Copysets(overview),
                new ProbableOwners(overview),
                new Twins(overview),
                new ServedImages(),
                new UpdatesArrive(overview),
                new Tokens(),
                new BarrierFalls(),
                new Signals(),
                new TimelyFlush(),
                new ForgottenWaiters(overview),
                new TableChecker(overview, coverage),
                new Letters(),
                new BrokenBarriers(),
                new Reductions(),
                new WaitTimers(),
                new LockBounds(),
                new ToldWhenDone(),
                new CopiesLearnt(overview),
                new Timers(),
                new PostedCalls(),
                new Batches(),
                new KeptTwins(overview),
                new AheadRequests(overview),
                new EffectResults(),
                new HoldTimes(overview),
                new ViewAccess(overview),
                new PublishedViews(),
                new Siblings(overview),
                new LazyBounds(),
                new RunQueues());
    }

    /** Every checker with its promise, in order. */
    public static List<Line> table() {
        return TABLE;
    }

    /** The table as text, a line for each checker. */
    public static String toText() {
        return TABLE.stream()
                .map(line -> String.format(Locale.ROOT, "%-20s  %s%n", line.name(), line.promise()))
                .collect(Collectors.joining());
    }
}
