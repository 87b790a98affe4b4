package io.muninn.spi;

import io.muninn.api.Protocol;
import io.muninn.api.remote.WordCondition;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.model.ReadWriteLockId;
import io.muninn.wire.Payload;
import io.muninn.wire.WireMessage;

/** Receives the effects of protocols and synchronization in a step, in order. */
public interface Effects extends EffectSink {
    /**
     * Reports that a protocol has performed its part of a release. Processed by the kernel within
     * the step; it is not an effect.
     */
    void releasePerformed(GatedRelease leaving);

    /**
     * The application processes whose page tables effects change: the node's only one, or {@link
     * MappingId#ALL}. A resume reaches those of them with threads stopped at the page.
     */
    MappingId mapping();

    /**
     * The application process of the fault, twin or prefetch of this step; for other events the
     * first one.
     */
    default MappingId process() {
        return MappingId.FIRST;
    }

    /**
     * Reports that a protocol has performed its part of an acquire. Processed by the kernel within
     * the step; it is not an effect.
     */
    void acquirePerformed(GatedAcquire acquire);

    /**
     * Ends the current interval of the {@link LogicalClock} for all protocols, if it contains a
     * store. Done by the kernel within the call; it is not an effect.
     */
    void endInterval();

    /**
     * Reports that a protocol has performed its part of a collection, see {@link
     * CoherenceProtocol#onCollect}. Its other effects precede it. Processed by the kernel within
     * the step; it is not an effect.
     */
    void collectPerformed(long number);

    /**
     * Reports that a page has arrived although no thread has stopped at it. Processed by the kernel
     * within the step; it is not an effect.
     */
    void cameUnasked(PageId page);

    /**
     * Reports, for checks, that a page meets an event that concerns many pages: a release, a notice
     * or the sealing. The protocol acts on it afterwards. It is not an effect.
     *
     * @param event as in the protocol's state × event table
     */
    default void pageEvent(PageId page, String event) {}

    default void send(NodeId to, WireMessage message) {
        add(new Effect.Send(to, message));
    }

    default void setAccess(PageId page, PageAccess access) {
        setAccess(mapping(), page, access);
    }

    default void setAccess(MappingId of, PageId page, PageAccess access) {
        add(new Effect.SetAccess(of, page, access));
    }

    default void withdraw(PageId first, int count) {
        withdraw(mapping(), first, count);
    }

    default void withdraw(MappingId of, PageId first, int count) {
        add(new Effect.Withdraw(of, first, count));
    }

    default void installPage(PageId page, Payload image, PageAccess access) {
        add(new Effect.InstallPage(mapping(), page, image, access));
    }

    default void mergePage(PageId page, Payload image) {
        add(new Effect.MergePage(page, image));
    }

    default void discard(PageId page) {
        add(new Effect.Discard(page));
    }

    default void poison(PageId page) {
        add(new Effect.Poison(page));
    }

    default void makeTwin(PageId page) {
        add(new Effect.MakeTwin(page));
    }

    default void dropTwin(PageId page) {
        add(new Effect.DropTwin(page));
    }

    default void saveDiff(PageId page, long interval, boolean keepTwin) {
        add(new Effect.SaveDiff(page, interval, keepTwin));
    }

    default void dropDiff(PageId page, long interval) {
        add(new Effect.DropDiff(page, interval));
    }

    default void keepDiff(PageId page, long keep, Payload diff) {
        add(new Effect.KeepDiff(page, keep, diff));
    }

    default void dropKept(PageId page, long keep) {
        add(new Effect.DropKept(page, keep));
    }

    default void applyDiff(PageId page, Payload diff) {
        add(new Effect.ApplyDiff(page, diff));
    }

    default void resumeFault(PageId page, PageAccess access) {
        resumeFault(mapping(), page, access);
    }

    /** As {@link #resumeFault(PageId, PageAccess)}, for the threads of one process only. */
    default void resumeFault(MappingId of, PageId page, PageAccess access) {
        add(new Effect.ResumeFault(of, page, access));
    }

    default void resumeWaiter(WaiterId waiter, Outcome outcome) {
        add(new Effect.ResumeWaiter(waiter, outcome));
    }

    default void armTimer(TimerId timer, long delayNanos) {
        add(new Effect.ArmTimer(timer, delayNanos));
    }

    /**
     * Arms the timer that ends a page's hold, which fires early when all threads that have stopped
     * at the page have continued.
     */
    default void armHold(PageId page, long delayNanos) {
        armTimer(new TimerId.HoldOver(page), delayNanos);
    }

    default void cancelTimer(TimerId timer) {
        add(new Effect.CancelTimer(timer));
    }

    default void count(NodeCounter counter) {
        count(counter, 1);
    }

    default void reclaimLock(LockId lock) {
        add(new Effect.ReclaimLock(lock));
    }

    default void lendLock(LockId lock, boolean held, boolean wanted) {
        add(new Effect.LendLock(lock, held, wanted));
    }

    default void markLock(LockId lock, ViewMark mark) {
        add(new Effect.MarkLock(lock, mark));
    }

    default void admitReaders(ReadWriteLockId lock, int count, boolean isOpen, ViewMark mark) {
        add(new Effect.AdmitReaders(lock, count, isOpen, mark));
    }

    default void closeReaders(ReadWriteLockId lock) {
        add(new Effect.CloseReaders(lock));
    }

    default void covers(MappingId reader, ViewMark mark) {
        add(new Effect.ViewCovers(reader, mark));
    }

    default void watchReleases() {
        add(new Effect.WatchReleases());
    }

    default void performRemote(NodeId from, long number, Bytes operations) {
        add(new Effect.PerformRemote(from, number, operations));
    }

    default void testRemote(NodeId from, long number, WordCondition condition) {
        add(new Effect.TestRemote(from, number, condition));
    }

    default void usePool(Protocol user, PoolCall call) {
        add(new Effect.UsePool(user, call));
    }

    default void failRun(String reason) {
        add(new Effect.FailRun(reason));
    }
}
