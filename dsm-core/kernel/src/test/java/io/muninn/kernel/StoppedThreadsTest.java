package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.LockId;
import io.muninn.model.PageId;
import io.muninn.spi.ThreadMark;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StoppedThreadsTest {
    private static final PageId PAGE = new PageId(0, 3);
    private static final LockId LOCK = new LockId("lock");
    private static final ThreadMark INSIDE = new ThreadMark(0, 5, Optional.of(LOCK));
    private static final ThreadMark OUTSIDE = new ThreadMark(1, 9, Optional.empty());

    private final StoppedThreads stopped = new StoppedThreads();

    @Test
    void everyThreadThatStops_isRemembered() {
        stopped.add(PAGE, INSIDE);
        stopped.add(PAGE, OUTSIDE);

        assertEquals(List.of(INSIDE, OUTSIDE), stopped.at(PAGE));
    }

    @Test
    void laterStop_takesThePlaceOfAnEarlierOne() {
        ThreadMark later = new ThreadMark(0, 6, Optional.empty());
        stopped.add(PAGE, INSIDE);
        stopped.add(PAGE, later);

        assertEquals(List.of(later), stopped.at(PAGE));
    }

    @Test
    void unknownThread_isNeverBehindNorInside() {
        stopped.add(PAGE, INSIDE);
        stopped.add(PAGE, ThreadMark.UNKNOWN);

        assertFalse(ThreadMark.areBehind(stopped.at(PAGE), _ -> 99));
        assertFalse(stopped.wereInside(LOCK, PAGE));
    }

    @Test
    void threadsInsideASection_areTold() {
        assertFalse(stopped.wereInside(LOCK, PAGE));
        stopped.add(PAGE, INSIDE);
        assertTrue(stopped.wereInside(LOCK, PAGE));
        assertFalse(stopped.wereInside(new LockId("other"), PAGE));
        stopped.add(PAGE, OUTSIDE);
        assertFalse(stopped.wereInside(LOCK, PAGE));
    }

    @Test
    void pageThatCameUnasked_hasNobody() {
        stopped.add(PAGE, OUTSIDE);
        stopped.cameUnasked(PAGE);

        assertEquals(List.of(), stopped.at(PAGE));
        assertTrue(stopped.wereInside(LOCK, PAGE));
    }

    @Test
    void pagesBeyondTheBound_areForgottenAndHeldForTheWholeTime() {
        stopped.add(PAGE, INSIDE);
        for (int i = 0; i < 1024; i++) {
            stopped.add(new PageId(1, i), OUTSIDE);
        }

        assertEquals(List.of(), stopped.at(PAGE));
        assertFalse(stopped.wereInside(LOCK, PAGE));
    }

    @Test
    void threadIsBehind_afterItsNextCall() {
        List<ThreadMark> marks = List.of(INSIDE, OUTSIDE);

        assertFalse(ThreadMark.areBehind(marks, thread -> thread == 0 ? 5 : 9));
        assertFalse(ThreadMark.areBehind(marks, thread -> thread == 0 ? 6 : 9));
        assertTrue(ThreadMark.areBehind(marks, thread -> thread == 0 ? 6 : 10));
    }
}
