package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.migratory.Migratory.PageMove;
import io.muninn.model.LockId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Bytes;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.spi.ThreadMark;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The pages that travel with each lock, on the root, which initially has all pages. */
class GuardedPagesTest {
    private static final LockId LOCK = new LockId("lock");
    private static final LockId OTHER_LOCK = new LockId("other");
    private static final NodeId OTHER = NodeId.of(1);

    private final FakeContext context = new FakeContext(0, Protocol.MIGRATORY);
    private final ProtocolTable protocols = new ProtocolTable(context, Map.of());
    private final StoppedThreads stopped = new StoppedThreads();
    private final GuardedPages guarded = new GuardedPages(protocols, stopped);
    private final RecordingEffects out = new RecordingEffects();

    GuardedPagesTest() {
        protocols.add(new Event.RegionAdded(context.region()));
    }

    private static PageId page(int index) {
        return new PageId(0, index);
    }

    /** A thread stops at a page inside a section. */
    private void stop(LockId lock, int page) {
        stopped.add(page(page), new ThreadMark(0, 1, Optional.of(lock)));
        guarded.stopped(lock, page(page));
    }

    private Bytes known = Bytes.EMPTY;

    /** The pages that travel with the lock. */
    private List<PageId> pass(LockId lock) {
        known = guarded.passing(lock, OTHER, out);
        return out.take().stream()
                .filter(Effect.Send.class::isInstance)
                .map(sent -> ((PageMove) ((Effect.Send) sent).message()).page())
                .toList();
    }

    /** Returns the lock with the records of the other node's pages, which arrive before it. */
    private void comeBack(LockId lock, PageId... pages) {
        for (PageId page : pages) {
            protocols.onMessage(OTHER, new PageMove(page, 0, List.of(), Payload.NONE), out);
        }
        guarded.granted(lock, known);
        context.passNanos(FakeContext.HOLD_NANOS);
        out.take();
    }

    @Test
    void pageOfALock_travelsWithItAgainAndAgain() {
        stop(LOCK, 3);

        assertEquals(List.of(page(3)), pass(LOCK));
        comeBack(LOCK, page(3));
        assertEquals(List.of(page(3)), pass(LOCK));
    }

    @Test
    void pageThatNobodyStoppedAtInside_doesNotTravel() {
        stop(LOCK, 3);

        assertEquals(List.of(), pass(OTHER_LOCK));
        assertEquals(Bytes.EMPTY, known);
    }

    @Test
    void pageThatIsElsewhere_doesNotTravel() {
        stop(LOCK, 3);
        pass(LOCK);
        stop(LOCK, 3);

        assertEquals(List.of(), pass(LOCK));
    }

    @Test
    void page_belongsToTheLockWithinWhichItFaultedLast() {
        stop(LOCK, 3);
        stop(OTHER_LOCK, 3);

        assertEquals(List.of(), pass(LOCK));
        assertEquals(List.of(page(3)), pass(OTHER_LOCK));
    }

    @Test
    void lockOfManyPages_takesTheYoungestAlong() {
        for (int i = 0; i <= GuardedPages.PAGES_MAX; i++) {
            stop(LOCK, i);
        }

        assertEquals(List.of(page(1), page(2), page(3), page(4)), pass(LOCK));
    }

    @Test
    void pageOfWhichTheProgramTells_travelsFromTheFirstSectionOnAndNeverStaysBehind() {
        guarded.told(LOCK, page(3), 2);

        for (int i = 0; i < 3 * GuardedPages.JOURNEYS_MIN; i++) {
            assertEquals(List.of(page(3), page(4)), pass(LOCK));
            comeBack(LOCK, page(3), page(4));
        }
    }

    @Test
    void pageOfWhichTheProgramTells_staysWithItsLock() {
        guarded.told(LOCK, page(0), 1);
        stop(OTHER_LOCK, 0);
        for (int i = 1; i <= GuardedPages.PAGES_MAX; i++) {
            stop(LOCK, i);
        }

        assertEquals(List.of(), pass(OTHER_LOCK));
        assertEquals(List.of(page(0), page(2), page(3), page(4)), pass(LOCK));
    }

    @Test
    void lockOfWhichTheProgramTellsTooMuch_keepsTheLast() {
        guarded.told(LOCK, page(0), GuardedPages.PAGES_MAX);
        guarded.told(LOCK, page(9), 1);
        stop(LOCK, 10);

        assertEquals(List.of(page(1), page(2), page(3), page(9)), pass(LOCK));
    }

    @Test
    void nodeThatIsNotTold_learnsOfThePageFromTheGrant() {
        guarded.told(LOCK, page(3), 1);
        pass(LOCK);
        GuardedPages other = new GuardedPages(protocols, stopped);
        protocols.onMessage(OTHER, new PageMove(page(3), 0, List.of(), Payload.NONE), out);
        context.passNanos(FakeContext.HOLD_NANOS);
        out.take();

        other.granted(LOCK, known);

        other.passing(LOCK, OTHER, out);
        assertEquals(1, out.take().stream().filter(Effect.Send.class::isInstance).count());
    }

    @Test
    void pageThatHasTravelledForAWhile_staysBehindOnce() {
        stop(LOCK, 3);
        travel(GuardedPages.JOURNEYS_MIN);

        assertEquals(List.of(), pass(LOCK));
        comeBack(LOCK);
        assertEquals(List.of(), pass(LOCK));
        assertEquals(Bytes.EMPTY, known);
    }

    @Test
    void pageThatFaultsWhenItHasStayedBehind_travelsTwiceAsOften() {
        stop(LOCK, 3);
        int journeys = GuardedPages.JOURNEYS_MIN;
        while (journeys < GuardedPages.JOURNEYS_MAX) {
            travel(journeys);
            stayBehindAndFault();
            journeys *= 2;
        }
        travel(GuardedPages.JOURNEYS_MAX);
        stayBehindAndFault();
        travel(GuardedPages.JOURNEYS_MAX);

        assertEquals(List.of(), pass(LOCK));
    }

    private void travel(int journeys) {
        for (int i = 0; i < journeys; i++) {
            assertEquals(List.of(page(3)), pass(LOCK));
            comeBack(LOCK, page(3));
        }
    }

    private void stayBehindAndFault() {
        assertEquals(List.of(), pass(LOCK));
        comeBack(LOCK);
        stop(LOCK, 3);
    }

    @Test
    void pageAtWhichAThreadStoppedInTheSection_isHeldNoLongerThanTheSection() {
        travelTo(page(3));
        stop(LOCK, 3);

        assertEquals(List.of(page(3)), pass(LOCK));
    }

    @Test
    void pageAtWhichAThreadStoppedOutside_isHeld() {
        travelTo(page(3));
        stop(LOCK, 3);
        stopped.add(page(3), new ThreadMark(1, 1, Optional.empty()));

        assertEquals(List.of(), pass(LOCK));
    }

    @Test
    void pageThatCameUnasked_isHeldNoLongerThanTheSection() {
        stop(LOCK, 3);
        travelTo(page(3));
        stopped.cameUnasked(page(3));

        assertEquals(List.of(page(3)), pass(LOCK));
    }

    /** The page is sent, returns, and is within its hold time. */
    private void travelTo(PageId page) {
        stop(LOCK, page.index());
        pass(LOCK);
        comeBack(LOCK);
        protocols.onMessage(OTHER, new PageMove(page, 0, List.of(), Payload.NONE), out);
        out.take();
    }
}
