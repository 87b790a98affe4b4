package io.muninn.coherence.homebased;

import static io.muninn.coherence.Subject.access;
import static io.muninn.coherence.Subject.count;
import static io.muninn.coherence.Subject.resume;
import static io.muninn.coherence.homebased.HomeBasedState.HOME_CLEAN;

import io.muninn.coherence.Subject;
import io.muninn.coherence.homebased.HomeBasedMessages.Msg;
import io.muninn.model.BarrierId;
import io.muninn.model.PageAccess;
import io.muninn.spi.AdaptiveTwinRules;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import org.junit.jupiter.api.Test;

/** Pages that their home stores to in each interval. */
class HotHomesTest {
    private static final GatedRelease LEAVING =
            new GatedRelease.Arrival(new BarrierId("sweep"), 1, 0);

    /** Stored to in two intervals, and writable since. */
    private static Subject<Msg> hot() {
        Subject<Msg> subject = HOME_CLEAN.subject();
        subject.context.twins(new AdaptiveTwinRules(2, 2));
        return subject.writeFault()
                .leave(LEAVING)
                .writeFault()
                .quietly()
                .leave(LEAVING)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_HEATED),
                        count(NodeCounter.TWINS_KEPT))
                .expectState("HomeDirty");
    }

    @Test
    void hotPage_isListedByEachReleaseAndProtectedAfterSome() {
        Subject<Msg> subject = hot();
        subject.leave(LEAVING)
                .expect(count(NodeCounter.FLUSHES), count(NodeCounter.TWINS_KEPT))
                .leave(LEAVING)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_COOLED),
                        access(PageAccess.READ))
                .expectState("HomeClean");
    }

    @Test
    void pageThatIsStoredToRightAfterItsHeat_isHotForNoLonger() {
        Subject<Msg> subject = hot().leave(LEAVING).leave(LEAVING).quietly();
        subject.writeFault().expect(resume(PageAccess.READ_WRITE)).leave(LEAVING).quietly();

        subject.leave(LEAVING)
                .expect(count(NodeCounter.FLUSHES), count(NodeCounter.TWINS_KEPT))
                .leave(LEAVING)
                .expect(
                        count(NodeCounter.FLUSHES),
                        count(NodeCounter.PAGES_COOLED),
                        access(PageAccess.READ));
    }
}
