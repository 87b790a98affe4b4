package io.muninn.spi;

import io.muninn.api.Protocol;
import io.muninn.api.remote.WordCondition;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;
import java.util.List;

/**
 * An output of a step. Effects are performed in list order, on one thread, before the next outside
 * event; their results are delivered as events before that, too.
 */
public sealed interface Effect {
    /** Sends a message; the payloads it names are read at this point of the list. */
    record Send(NodeId to, WireMessage message) implements Effect {}

    /**
     * Changes the access of application processes to a page whose content is present; {@code NONE}
     * keeps the content. Of {@link MappingId#ALL}, those with threads stopped at the page get more
     * access, unless they have views, and every one gets less. A page without content is not
     * changed: its next access faults. Wakes no thread. A page to which a thread's trap is about to
     * let it store stays writable: the {@link SaveDiff} that follows in the step reports it or, if
     * none does and the page keeps its twin, {@link Event.TwinMade} after the step.
     */
    record SetAccess(MappingId mapping, PageId page, PageAccess access) implements Effect {}

    /**
     * Withdraws all access of application processes to {@code count} pages; content and twins are
     * kept, and so is the access of other processes. A process from which a page was withdrawn gets
     * it again by an effect that names it, or with new content. {@link Event.AccessWithdrawn}
     * reports the end, and the pages that were refused. A page without content is not changed: its
     * next access faults.
     *
     * <p>Until then threads may load and store as before. Access that another effect withdraws
     * meanwhile is withdrawn at once. Access that an effect grants, also a {@link ResumeFault}, is
     * granted when the withdrawal is done, before that event. Other pages need not wait.
     */
    record Withdraw(MappingId mapping, PageId first, int count) implements Effect {}

    /**
     * Sets the content of a page; threads of the application processes get {@code access} only
     * after it is complete.
     */
    record InstallPage(MappingId mapping, PageId page, Payload image, PageAccess access)
            implements Effect {}

    /**
     * Sets the content of a present page to an image, but keeps what threads have stored since the
     * twin was made; the image becomes the twin, if there is one. Processes keep their access.
     */
    record MergePage(PageId page, Payload image) implements Effect {}

    /** Frees a page's content; the next access of any process faults. */
    record Discard(PageId page) implements Effect {}

    /** Makes every access to a page fail, also for threads that wait for it. */
    record Poison(PageId page) implements Effect {}

    /**
     * Copies a page, which no local thread may be able to store to at this point. A page without
     * content gets zeros first.
     */
    record MakeTwin(PageId page) implements Effect {}

    record DropTwin(PageId page) implements Effect {}

    /**
     * Compares page and twin and saves the diff under the interval; {@link Event.DiffSaved}.
     *
     * @param keepTwin the page stays writable, and the compared content becomes its twin: a
     *     concurrent store is in this diff or in the next. Without it a {@link SetAccess} must
     *     precede, so that there is no concurrent store
     */
    record SaveDiff(PageId page, long interval, boolean keepTwin) implements Effect {}

    /** Frees a saved diff. */
    record DropDiff(PageId page, long interval) implements Effect {}

    /**
     * Copies a received diff, to be applied later. A page may have several.
     *
     * @param keep identifies it, together with the page, until {@link ApplyDiff} or {@link
     *     DropKept}
     */
    record KeepDiff(PageId page, long keep, Payload diff) implements Effect {}

    /** Frees a kept diff that will not be applied. */
    record DropKept(PageId page, long keep) implements Effect {}

    /**
     * Stores a diff's granules into the page, and into its twin if it has one. A difference between
     * page and twin is a local store: there the page does not change, and only the twin is stored
     * to, so that the local store is in the next diff. A {@link Payload.KeptDiff} is freed by it.
     */
    record ApplyDiff(PageId page, Payload diff) implements Effect {}

    /**
     * Records a saved diff's granules as this node's stores of an interval of its logical clock.
     * {@link Event.StoresRead} reports them.
     *
     * @param by this node
     * @param saved the diff's own interval, as in {@link SaveDiff}
     */
    record NoteStores(RegionSpec region, PageId page, NodeId by, long saved, long interval)
            implements Effect {}

    /**
     * Searches for granules of a diff that this node has also stored to: not sent yet, or sent in
     * an interval that the diff's sender did not know of. Precedes {@link ApplyDiff}; {@link
     * Event.RacesFound} reports the result, and {@link Event.StoresRead} all granules.
     *
     * @param interval of the sender's logical clock, in which it has stored
     * @param known the last interval of this node that the sender knew of
     */
    record FindRaces(
            RegionSpec region, PageId page, NodeId from, Payload diff, long interval, long known)
            implements Effect {}

    /**
     * Reports a race to the user.
     *
     * @param offset of the granule in its page, in bytes
     * @param isCertain false if there may be no race
     */
    record ReportRace(PageId page, int offset, String text, boolean isCertain) implements Effect {}

    /**
     * Ensures that the page has this access in an application process, even if the operating system
     * has changed its page table, then wakes the threads of the process that wait for the page. A
     * page without content gets zeros first.
     */
    record ResumeFault(MappingId mapping, PageId page, PageAccess access) implements Effect {}

    record ResumeWaiter(WaiterId waiter, Outcome outcome) implements Effect {}

    record ArmTimer(TimerId timer, long delayNanos) implements Effect {}

    /**
     * Lets an armed timer fire as soon as all of these threads have entered a call since their
     * marks, if that is before its time: with the results of this step if they have already.
     *
     * @param threads one or more; replaces the threads that were watched for this timer
     */
    record WatchThreads(TimerId timer, List<ThreadMark> threads) implements Effect {}

    record CancelTimer(TimerId timer) implements Effect {}

    /** Changes or inspects words that the application shares with its agent. */
    sealed interface OfWords extends Effect {}

    /**
     * Takes a lock back from the application if it is free there; otherwise marks it as wanted so
     * that its release calls the agent. {@link Event.LockReclaimed} reports the result.
     */
    record ReclaimLock(LockId lock) implements OfWords {}

    /** Lends a lock to the application: free or held, and wanted by other nodes or not. */
    record LendLock(LockId lock, boolean held, boolean wanted) implements OfWords {}

    /**
     * Marks a lock, before it is lent free to a node with several processes, with the view that the
     * next holder must cover.
     */
    record MarkLock(LockId lock, ViewMark mark) implements OfWords {}

    /**
     * Adds readers to the word of a reader-writer lock.
     *
     * @param isOpen whether other readers may enter, too; a closed word stays closed otherwise
     * @param mark the view that readers must cover, on a node with several processes
     */
    record AdmitReaders(ReadWriteLockId lock, int count, boolean isOpen, ViewMark mark)
            implements OfWords {}

    /**
     * Closes the word of a reader-writer lock: readers leave, and the last one notifies the agent.
     * {@link Event.ReadersClosed} reports the readers inside. A closed word is only inspected.
     */
    record CloseReaders(ReadWriteLockId lock) implements OfWords {}

    /**
     * Publishes to the application that the view of a process covers another view. Threads read it
     * when they take a lock in shared memory.
     */
    record ViewCovers(MappingId reader, ViewMark mark) implements OfWords {}

    /** Requests a notification of the next release inside the node. */
    record WatchReleases() implements OfWords {}

    /** Accesses remote words of which this node is the home. */
    sealed interface OfRemote extends Effect {}

    /**
     * Performs operations on words, once; {@link Event.RemotePerformed}.
     *
     * @param from that requests them
     * @param number of its requests
     */
    record PerformRemote(NodeId from, long number, Bytes operations) implements OfRemote {}

    /** Looks whether a condition holds; {@link Event.ConditionTested}. */
    record TestRemote(NodeId from, long number, WordCondition condition) implements OfRemote {}

    /**
     * Uses memory that all nodes address; {@link Event.PoolDone} reports the result, if the
     * operation has one.
     */
    record UsePool(Protocol user, PoolCall call) implements Effect {}

    /** Ends the run because of an error of the program. The text names variable, page and node. */
    record FailRun(String reason) implements Effect {}
}
