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
                            "while one node may store to a page, no other node has"
                                    + " access, except to a copy that is being invalidated; a"
                                    + " migratory page has one copy"),
                    new Line(
                            Copysets.NAME,
                            "the owner of a page knows every copy; copyset closure"
                                    + " reaches every holder"),
                    new Line(
                            ProbableOwners.NAME,
                            "hints lead from every node to one that can answer,"
                                    + " without a cycle"),
                    new Line(
                            Twins.NAME,
                            "a page has a twin if and only if it is dirty; no process"
                                    + " has more access than the page's state permits"),
                    new Line(
                            ServedImages.NAME,
                            "a node can correct every image that it has sent, by a"
                                    + " later diff"),
                    new Line(
                            UpdatesArrive.NAME,
                            "every copy contains the updates that all holders have"
                                    + " acknowledged, and no copy loses one"),
                    new Line(
                            Tokens.NAME,
                            "each lock has one token, in one place, and at most one holder"),
                    new Line(
                            Permissions.NAME,
                            "under a reader-writer lock one thread writes, or any number"
                                    + " reads; requests are granted in order, and none of a"
                                    + " thread that has given up is left"),
                    new Line(
                            RemoteWords.NAME,
                            "operations on remote words are linearizable, each performed"
                                    + " once; posts are performed before a fence ends or a"
                                    + " release is acquired; no fulfilled wait is held"),
                    new Line(
                            BarrierFalls.NAME,
                            "a barrier is completed only when all parties have"
                                    + " arrived, and then for all of them"),
                    new Line(
                            Signals.NAME,
                            "a signal leaves after the flush, and wakes the threads"
                                    + " that it selects, the oldest first, and no others"),
                    new Line(
                            Calls.NAME,
                            "an object runs one call at a time, and each caller's"
                                    + " calls in their order; each call is answered once; calls"
                                    + " and replies leave after the flush"),
                    new Line(
                            TimelyFlush.NAME,
                            "stores that were released within a node leave it in time"),
                    new Line(
                            WitnessOrder.NAME,
                            "sequential consistency: a load returns the last store in"
                                    + " the witness order"),
                    new Line(
                            ReleaseConsistency.NAME,
                            "release consistency: no load returns a value that was"
                                    + " overwritten in the happened-before order"),
                    new Line(
                            ReportedRaces.NAME,
                            "a reported race is between stores, or a load and a store, that no"
                                    + " synchronization orders"),
                    new Line(
                            MemoryOracle.NAME,
                            "at barriers of all threads, and at the end, every copy"
                                    + " equals one memory"),
                    new Line(
                            ForgottenWaiters.NAME,
                            "for every waiting thread, an event is outstanding that"
                                    + " will wake it"),
                    new Line(
                            Deadlocks.NAME,
                            "no thread that goes on later is taken for one that waits for"
                                    + " ever"),
                    new Line(
                            TableChecker.NAME,
                            "every event has a cell in the state × event tables that"
                                    + " is not impossible"),
                    new Line(
                            Letters.NAME,
                            "letters arrive once and in order, windows are kept, and"
                                    + " senders that wait for credit are recorded"),
                    new Line(
                            BrokenBarriers.NAME,
                            "a barrier breaks only for a reason, and no time-out is lost"),
                    new Line(
                            Reductions.NAME,
                            "every contributor receives the result of its round,"
                                    + " combined by node and thread; no other thread does"),
                    new Line(
                            WaitTimers.NAME,
                            "a wait with a limit has a timer as long as it lasts; no"
                                    + " other wait has one"),
                    new Line(
                            LockBounds.NAME,
                            "at most 16 threads of a node acquire a lock before"
                                    + " another node that waits"),
                    new Line(
                            ToldWhenDone.NAME,
                            "the statements of a message about its sender's page hold"
                                    + " when it leaves"),
                    new Line(
                            CopiesLearnt.NAME,
                            "write-shared: a node records what a message says about"
                                    + " copies, and never forgets it"),
                    new Line(
                            Timers.NAME,
                            "a running timer is not armed again, except that of a hold time"),
                    new Line(
                            PostedCalls.NAME,
                            "the number of posted calls has a limit, and a caller"
                                    + " waits only at the limit"),
                    new Line(
                            Batches.NAME,
                            "write-shared: a batch of updates fits in a message; with"
                                    + " an update timeout it grows only after a full one"),
                    new Line(
                            KeptTwins.NAME,
                            "write-shared: a page keeps its twin after the specified"
                                    + " number of dirty intervals, until the specified number of"
                                    + " comparisons without a change"),
                    new Line(
                            AheadRequests.NAME,
                            "pages are requested ahead of sequential faults from the"
                                    + " first one on, and not if read-ahead is off"),
                    new Line(
                            EffectResults.NAME,
                            "every result of an effect is delivered once, in the"
                                    + " order of the effects; sealing waits for it"),
                    new Line(
                            HoldTimes.NAME,
                            "a node that obtained a page for a store keeps it until"
                                    + " the threads that faulted have continued, or for the hold"
                                    + " time"),
                    new Line(
                            FetchedCopies.NAME,
                            "a fetched copy stays until it is used, or for the hold time"),
                    new Line(
                            WokenThreads.NAME,
                            "a thread that is woken at a page and waits for a"
                                    + " processor uses the page before a release or an acquire"
                                    + " takes it"),
                    new Line(
                            ViewAccess.NAME,
                            "a process with a view can access only pages that satisfy"
                                    + " the view; an image satisfies all processes of its node"),
                    new Line(
                            PublishedViews.NAME,
                            "a process has the view that its node publishes, and the"
                                    + " pages that this view makes stale are withdrawn from it"),
                    new Line(
                            Siblings.NAME,
                            "no process has more access than its node, or loses"
                                    + " access because a sibling does"),
                    new Line(
                            PublishedCopies.NAME,
                            "weak: when stores are published, each node whose copy lacks"
                                    + " them has a notice, or checks the page"),
                    new Line(
                            PooledCopies.NAME,
                            "a page of a pool is published when each mapper has its stores, or"
                                    + " a notice, before the release; messages about it are only"
                                    + " between nodes of other hosts and the first of its host"),
                    new Line(
                            LazyBounds.NAME,
                            "a node that keeps more lazy data than the bound requests"
                                    + " a collection"),
                    new Line(
                            RunQueues.NAME,
                            "a processor runs one thread at a time; no thread waits"
                                    + " while a processor is free; all time is charged once; the"
                                    + " times of a thread add up to its end"));

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
                new Permissions(),
                new RemoteWords(),
                new BarrierFalls(),
                new Signals(),
                new Calls(),
                new TimelyFlush(),
                new WitnessOrder(overview, memory),
                new ReleaseConsistency(timestamps, stores),
                new ReportedRaces(overview, stores, timestamps),
                new MemoryOracle(overview, memory, stores),
                new ForgottenWaiters(overview),
                new Deadlocks(),
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
                new PublishedCopies(overview),
                new PooledCopies(overview),
                new LazyBounds(),
                new RunQueues());
    }

    /**
     * Creates the checkers of pages, locks and barriers that do not need the values of loads and
     * stores: for programs whose loads and stores, and remote operations, are not reported.
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
                new Permissions(),
                new BarrierFalls(),
                new Signals(),
                new TimelyFlush(),
                new ForgottenWaiters(overview),
                new Deadlocks(),
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
                new PublishedCopies(overview),
                new PooledCopies(overview),
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
