package io.muninn.coherence.writeshared;

import static io.muninn.coherence.Subject.PAGE;
import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.Subject.send;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.ACK;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.APPLY;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.UPDATE;
import static io.muninn.coherence.writeshared.UpdateTimeoutState.WINDOW_NANOS;
import static io.muninn.coherence.writeshared.WriteSharedState.CLEAN;
import static io.muninn.coherence.writeshared.WriteSharedState.HOT;
import static io.muninn.coherence.writeshared.WriteSharedState.acknowledgement;
import static io.muninn.coherence.writeshared.WriteSharedState.copyset;
import static io.muninn.coherence.writeshared.WriteSharedState.heated;
import static io.muninn.coherence.writeshared.WriteSharedState.offer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.Subject;
import io.muninn.coherence.shared.DirtyStreak;
import io.muninn.coherence.writeshared.WriteSharedMessages.Msg;
import io.muninn.coherence.writeshared.WriteSharedMessages.PageDiff;
import io.muninn.coherence.writeshared.WriteSharedMessages.Update;
import io.muninn.directory.DatedCopyset;
import io.muninn.directory.Directory;
import io.muninn.directory.DirectoryEntry;
import io.muninn.kernel.RecordingEffects;
import io.muninn.model.NodeId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.wire.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The row Hot of the table of {@link WriteShared}, and the transitions into and out of it. Node 1
 * is under test, node 0 is the root; {@link WriteSharedTest} has the cells that Hot and Dirty
 * share.
 */
class AdaptiveTwinsTest {
    private static final GatedRelease ELAPSED = new GatedRelease.Elapsed();
    private static final Effect DROP_TWIN = new Effect.DropTwin(PAGE);
    private static final Effect WATCH = new Effect.WatchReleases();

    // Dirty to Hot

    @Test
    void pageDirtyInThreeIntervalsInARow_isComparedWithoutProtectionAndKeepsItsTwin() {
        dirtyInInterval(dirtyInInterval(CLEAN.subject(), 1), 2)
                .writeFault()
                .quietly()
                .release(ELAPSED)
                .expect(count(NodeCounter.FLUSHES), count(NodeCounter.PAGES_HEATED), WATCH, kept(3))
                .savedAndKept(3, 5)
                .expect(
                        count(NodeCounter.TWINS_KEPT),
                        count(NodeCounter.DIFFS_MADE),
                        send(0, update(3, copyset(0, 1))))
                .message(0, acknowledgement(3, copyset(0)))
                .expectPerformed(ELAPSED);
    }

    @Test
    void pageThatWasNotDirtyForLong_isProtected() {
        Subject<Msg> subject = dirtyInInterval(dirtyInInterval(CLEAN.subject(), 1), 2);
        for (int interval = 3; interval < 3 + DirtyStreak.STEP_MAX; interval++) {
            dirtyElsewhere(subject, interval);
        }

        subject.writeFault()
                .quietly()
                .release(ELAPSED)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), compared(7));
    }

    @Test
    void pageThatWasNotDirtyInAFewIntervals_keepsItsTwin() {
        Subject<Msg> subject = dirtyInInterval(dirtyInInterval(CLEAN.subject(), 1), 2);
        for (int interval = 3; interval < 2 + DirtyStreak.STEP_MAX; interval++) {
            dirtyElsewhere(subject, interval);
        }

        subject.writeFault()
                .quietly()
                .release(ELAPSED)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_HEATED),
                        WATCH,
                        kept(6));
    }

    @Test
    void pageWhoseAccessWasWithdrawnInBetween_keepsItsTwin() {
        Subject<Msg> subject = dirtyInInterval(dirtyInInterval(UpdateTimeoutState.clean(), 1), 2);

        subject.message(2, UPDATE)
                .readFault()
                .writeFault()
                .quietly()
                .release(ELAPSED)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_HEATED),
                        WATCH,
                        kept(3));
    }

    @Test
    void withoutHotPages_everyReleaseProtects() {
        Subject<Msg> subject = CLEAN.subject();
        subject.context.twins(AdaptiveTwinRules.OFF);
        for (int interval = 1; interval < 20; interval++) {
            dirtyInInterval(subject, interval);
        }

        subject.writeFault()
                .quietly()
                .release(ELAPSED)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), compared(20));
    }

    @Test
    void pagesBeyondTheMost_areProtected() {
        FakeContext context = new FakeContext(1, Protocol.WRITE_SHARED);
        AdaptiveTwins hotPages = new AdaptiveTwins(context);
        DirtyStreak heat = new DirtyStreak(AdaptiveTwinRules.DEFAULT.hotAfter(), 1);
        Directory<WriteShared.State> directory =
                new Directory<>(NodeId.of(1), () -> new WriteShared.State.Dirty(heat));
        directory.add(context.region());
        DirectoryEntry<WriteShared.State> dirty = directory.entry(PAGE);
        RecordingEffects out = new RecordingEffects();
        for (int i = 0; i < AdaptiveTwins.PAGES_MAX; i++) {
            assertInstanceOf(WriteShared.State.Hot.class, hotPages.afterRelease(dirty, 2, out));
        }

        assertInstanceOf(WriteShared.State.Clean.class, hotPages.afterRelease(dirty, 2, out));
    }

    // release

    @Test
    void releaseOfHotPages_watchesOnceThenComparesAll() {
        PageId other = new PageId(0, 4);
        Subject<Msg> subject = HOT.subject();
        heatElsewhere(subject, other);

        subject.release(ELAPSED)
                .expect(
                        count(NodeCounter.FLUSHES),
                        WATCH,
                        new Effect.SaveDiff(PAGE, 7, true),
                        new Effect.SaveDiff(other, 7, true));
    }

    @Test
    void releaseOfAHotPageThatIsUnchanged_sendsNothing() {
        HOT.subject()
                .release(ELAPSED)
                .expect(count(NodeCounter.FLUSHES), WATCH, kept(4))
                .savedAndKept(4, 0)
                .expect(
                        count(NodeCounter.TWINS_KEPT),
                        count(NodeCounter.DIFFS_EMPTY),
                        new Effect.DropDiff(PAGE, 4))
                .expectPerformed(ELAPSED);
    }

    @Test
    void releaseWhileAnEarlierUpdateIsUnderWay_comparesWhenAllHaveAcknowledgedIt() {
        GatedRelease second = new GatedRelease.Elapsed();
        HOT.subject()
                .release(ELAPSED)
                .savedAndKept(4, 5)
                .quietly()
                .release(second)
                .expect(count(NodeCounter.FLUSHES))
                .message(0, acknowledgement(4, copyset(0)))
                .expect(new Effect.DropDiff(PAGE, 4), WATCH, kept(5))
                .expectPerformed(ELAPSED)
                .savedAndKept(5, 0)
                .expectPerformed(second);
    }

    @Test
    void hotPageUnchangedSeveralTimesInARow_isProtectedAndComparedOnceMore() {
        unchanged(HOT.subject(), 4, AdaptiveTwinRules.DEFAULT.coldAfter())
                .release(ELAPSED)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_COOLED),
                        access(PageAccess.READ),
                        compared(12))
                .saved(12, 0)
                .expect(DROP_TWIN, count(NodeCounter.DIFFS_EMPTY), new Effect.DropDiff(PAGE, 12))
                .expectPerformed(ELAPSED)
                .release(ELAPSED)
                .expect();
    }

    @Test
    void storesBeforeTheLastComparison_areSent() {
        unchanged(HOT.subject(), 4, AdaptiveTwinRules.DEFAULT.coldAfter())
                .release(ELAPSED)
                .quietly()
                .saved(12, 5)
                .expect(
                        DROP_TWIN,
                        count(NodeCounter.DIFFS_MADE),
                        send(0, update(12, copyset(0, 1))));
    }

    @Test
    void hotPageThatIsChangedAgain_staysHotForLong() {
        Subject<Msg> subject =
                unchanged(HOT.subject(), 4, AdaptiveTwinRules.DEFAULT.coldAfter() - 1);
        subject.release(ELAPSED)
                .savedAndKept(11, 5)
                .message(0, acknowledgement(11, copyset(0)))
                .quietly();

        unchanged(subject, 12, AdaptiveTwinRules.DEFAULT.coldAfter() - 1)
                .release(ELAPSED)
                .expect(count(NodeCounter.FLUSHES), WATCH, kept(19));
    }

    @Test
    void pageThatHasCooledDown_takesThreeIntervalsAgain() {
        Subject<Msg> subject = unchanged(HOT.subject(), 4, AdaptiveTwinRules.DEFAULT.coldAfter());
        subject.release(ELAPSED).saved(12, 0).quietly();

        subject.writeFault()
                .quietly()
                .release(ELAPSED)
                .expect(count(NodeCounter.FLUSHES), access(PageAccess.READ), compared(13));
    }

    @Test
    void hotPageWhoseOtherHoldersLeft_isExclusiveAndWritable() {
        HOT.subject()
                .release(ELAPSED)
                .savedAndKept(4, 5)
                .message(0, acknowledgement(4, DatedCopyset.EMPTY.end(NodeId.of(0))))
                .release(ELAPSED)
                .quietly()
                .savedAndKept(5, 5)
                .expect(DROP_TWIN, new Effect.DropDiff(PAGE, 5))
                .release(ELAPSED)
                .expect()
                .writeFault()
                .expect(resume(PageAccess.READ_WRITE));
    }

    @Test
    void hotPageThatWasProtectedAllTheSame_isImpossible() {
        Subject<Msg> subject = HOT.subject().release(ELAPSED).quietly();

        subject.expectViolation("Hot", () -> subject.saved(4, 5), "DiffSaved");
    }

    // update timeout

    @Test
    void updatesOfAHotPageWithinTheWindow_areApplied() {
        heated(UpdateTimeoutState.clean())
                .passNanos(WINDOW_NANOS)
                .message(2, UPDATE)
                .expect(APPLY, send(2, ACK))
                .passNanos(WINDOW_NANOS - 1)
                .message(2, UPDATE)
                .expect(APPLY, send(2, ACK));
    }

    @Test
    void comparison_endsTheWindowOfAHotPage() {
        heated(UpdateTimeoutState.clean())
                .message(2, UPDATE)
                .release(ELAPSED)
                .savedAndKept(4, 0)
                .passNanos(WINDOW_NANOS)
                .quietly()
                .message(2, UPDATE)
                .expect(APPLY, send(2, ACK));
    }

    @Test
    void updateOfAHotPageThatIsNotUsed_coolsItDownForTheNext() {
        heated(UpdateTimeoutState.clean())
                .message(2, UPDATE)
                .passNanos(WINDOW_NANOS)
                .quietly()
                .message(2, UPDATE)
                .expect(
                        APPLY,
                        send(2, ACK),
                        count(NodeCounter.PAGES_COOLED),
                        access(PageAccess.READ),
                        compared(4))
                .saved(4, 0)
                .expect(DROP_TWIN, count(NodeCounter.DIFFS_EMPTY), new Effect.DropDiff(PAGE, 4))
                .message(2, UPDATE)
                .expect(APPLY, access(PageAccess.NONE), send(2, ACK));
    }

    @Test
    void unusedHotPageWhoseUpdateIsUnderWay_coolsDownAfterIt() {
        GatedRelease second = new GatedRelease.Elapsed();
        heated(UpdateTimeoutState.clean())
                .release(ELAPSED)
                .savedAndKept(4, 5)
                .release(second)
                .message(2, UPDATE)
                .passNanos(WINDOW_NANOS)
                .quietly()
                .message(2, UPDATE)
                .expect(APPLY, send(2, ACK))
                .message(0, acknowledgement(4, copyset(0)))
                .message(2, acknowledgement(4, copyset(2)))
                .quietly()
                .saved(5, 0)
                .expect(DROP_TWIN, count(NodeCounter.DIFFS_EMPTY), new Effect.DropDiff(PAGE, 5))
                .expectPerformed(second);
    }

    @Test
    void updateOfAnUnusedHotPageWithoutATimeout_isApplied() {
        HOT.subject()
                .message(2, UPDATE)
                .passNanos(Long.MAX_VALUE / 2)
                .quietly()
                .message(2, UPDATE)
                .expect(APPLY, send(2, ACK));
    }

    // DirtyStreak

    @Test
    void heat_countsIntervalsThatAreCloseTogether() {
        DirtyStreak heat = DirtyStreak.NONE.dirtyIn(5).dirtyIn(6).dirtyIn(6 + DirtyStreak.STEP_MAX);

        assertEquals(new DirtyStreak(3, 6 + DirtyStreak.STEP_MAX), heat);
        assertEquals(1, heat.dirtyIn(7 + 2 * DirtyStreak.STEP_MAX).times());
        assertFalse(heat.isHot(AdaptiveTwinRules.OFF));
    }

    private static Effect kept(long interval) {
        return new Effect.SaveDiff(PAGE, interval, true);
    }

    private static Effect compared(long interval) {
        return new Effect.SaveDiff(PAGE, interval, false);
    }

    /** One interval in which the clean page is stored to; the root has acknowledged it. */
    private static Subject<Msg> dirtyInInterval(Subject<Msg> clean, long interval) {
        return clean.writeFault()
                .release(ELAPSED)
                .saved(interval, 5)
                .message(0, acknowledgement(interval, copyset(0)))
                .quietly();
    }

    /** One interval in which only another page is stored to, and this one is not hot. */
    private static void dirtyElsewhere(Subject<Msg> subject, int interval) {
        PageId other = new PageId(0, 5 + interval);
        fetch(subject, other);
        subject.protocol.onWriteFault(other, new RecordingEffects());
        subject.release(ELAPSED);
        subject.protocol.onDiffSaved(
                new Event.DiffSaved(other, interval, 0, 0, false), new RecordingEffects());
        subject.quietly();
    }

    private static void fetch(Subject<Msg> subject, PageId page) {
        RecordingEffects out = new RecordingEffects();
        subject.protocol.onReadFault(page, out);
        if (out.take().stream().anyMatch(effect -> effect instanceof Effect.Send)) {
            subject.protocol.onMessage(NodeId.ROOT, UpdateTimeoutState.replyFor(page), out);
        }
    }

    /** Heats another page while this one is hot; takes intervals 4 to 6. */
    private static void heatElsewhere(Subject<Msg> subject, PageId other) {
        fetch(subject, other);
        for (int interval = 4; interval < 7; interval++) {
            subject.protocol.onWriteFault(other, new RecordingEffects());
            subject.release(ELAPSED).savedAndKept(interval, 0);
            subject.protocol.onDiffSaved(
                    new Event.DiffSaved(other, interval, 0, 0, interval == 6),
                    new RecordingEffects());
        }
        subject.quietly();
    }

    /** Intervals, from {@code first} on, in which the hot page is not stored to. */
    private static Subject<Msg> unchanged(Subject<Msg> hot, long first, int count) {
        for (long interval = first; interval < first + count; interval++) {
            hot.release(ELAPSED).savedAndKept(interval, 0).quietly();
        }
        return hot;
    }

    private static Update update(long interval, DatedCopyset copies) {
        return new Update(
                interval,
                List.of(new PageDiff(offer(PAGE, copies), new Payload.SavedDiff(PAGE, interval))));
    }
}
