package io.muninn.sim;

import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.ForwardingDelays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.spi.Event;
import io.muninn.spi.UpdateRules;
import io.muninn.wire.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** States that a machine would permit and on which no protocol may rely. */
class SimPagesTest {
    private static final PageId PAGE = new PageId(0, 1);
    private static final int PAGE_BYTES = RegionSpec.MACHINE_PAGE_BYTES;

    private final Arena arena = Arena.ofConfined();
    private final Delays exact = Delays.exact(MachineModel.LOOPBACK);
    private final SimPages pages = pages(exact);

    private SimPages pages(Delays delays) {
        return new Simulation(
                        new Simulation.Cluster(
                                1,
                                1,
                                0,
                                0,
                                UpdateRules.PLAIN,
                                List.of(region(Protocol.WRITE_SHARED))),
                        delays,
                        List.of(),
                        arena)
                .nodes()
                .getFirst()
                .pages();
    }

    /** A machine whose withdrawals all take time, and whose traps never end. */
    private final class Slow extends ForwardingDelays {
        Slow() {
            super(exact);
        }

        @Override
        public boolean withdrawsAtOnce(int count) {
            return false;
        }

        @Override
        public boolean isInTrap() {
            return true;
        }
    }

    @AfterEach
    void freeMemory() {
        arena.close();
    }

    @Test
    void imageOverContent_isAViolation() {
        pages.install(FIRST, PAGE, zeros(), PageAccess.READ);

        assertViolation(
                "an image over content",
                () -> pages.install(FIRST, PAGE, zeros(), PageAccess.READ));
    }

    @Test
    void accessOfAnUnknownProcess_isAViolation() {
        MappingId other = new MappingId(1);
        for (Runnable act :
                List.<Runnable>of(
                        () -> pages.setAccess(other, PAGE, PageAccess.READ),
                        () -> pages.withdraw(other, PAGE, 1),
                        () -> pages.install(other, PAGE, zeros(), PageAccess.READ),
                        () -> pages.resume(other, PAGE, PageAccess.READ))) {
            assertViolation("no application process 1", act);
        }
    }

    @Test
    void twinOfAPageBeingStoredTo_isAViolation() {
        pages.resume(FIRST, PAGE, PageAccess.READ_WRITE);

        assertViolation("a twin of a page being stored to", () -> pages.makeTwin(PAGE));
    }

    @Test
    void diffOfAPageBeingStoredTo_isAViolation() {
        pages.makeTwin(PAGE);
        pages.resume(FIRST, PAGE, PageAccess.READ_WRITE);

        assertViolation("a diff of a page being stored to", () -> pages.saveDiff(PAGE, 1, false));
    }

    @Test
    void imageOfAPageBeingStoredTo_isAViolation() {
        pages.resume(FIRST, PAGE, PageAccess.READ_WRITE);

        assertViolation("sent while stored to", () -> pages.bytes(new Payload.PageImage(PAGE)));
    }

    @Test
    void diffForAPageWithoutContent_isAViolation() {
        assertViolation(
                "a diff for a page without content",
                () -> pages.applyDiff(PAGE, new Payload.Received(bytes(), false)));
    }

    @Test
    void imageThatIsMerged_keepsStoresSinceTheTwinAndReplacesTheRest() {
        pages.makeTwin(PAGE);
        pages.content(PAGE).set(ValueLayout.JAVA_LONG, 16, 7);
        MemorySegment image = MemorySegment.ofArray(new long[PAGE_BYTES / Long.BYTES]);
        image.set(ValueLayout.JAVA_LONG, 8, 5);

        pages.merge(PAGE, new Payload.Received(image, false));

        assertEquals(7, pages.content(PAGE).get(ValueLayout.JAVA_LONG, 16));
        assertEquals(0, pages.twin(PAGE).get(ValueLayout.JAVA_LONG, 16));
        assertEquals(5, pages.content(PAGE).get(ValueLayout.JAVA_LONG, 8));
        assertEquals(5, pages.twin(PAGE).get(ValueLayout.JAVA_LONG, 8));
        assertEquals(1, pages.saveDiff(PAGE, 1, false).granules());
    }

    @Test
    void imageThatIsMergedWithoutATwin_isTheContent() {
        pages.resume(FIRST, PAGE, PageAccess.READ);
        pages.content(PAGE).set(ValueLayout.JAVA_LONG, 16, 7);

        pages.merge(PAGE, new Payload.Received(MemorySegment.NULL, false)); // of zeros

        assertEquals(0, pages.content(PAGE).get(ValueLayout.JAVA_LONG, 16));
        assertFalse(pages.hasTwin(PAGE));
    }

    @Test
    void imageThatIsMergedIntoNothing_isAViolation() {
        assertViolation("an image is merged into no content", () -> pages.merge(PAGE, zeros()));
    }

    @Test
    void diffOfOneNode_changesPageAndTwinOfAnother() {
        pages.makeTwin(PAGE);
        pages.content(PAGE).set(ValueLayout.JAVA_LONG, 16, 7);
        assertEquals(1, pages.saveDiff(PAGE, 1, false).granules());
        byte[] diff = pages.bytes(new Payload.SavedDiff(PAGE, 1)).toArray(ValueLayout.JAVA_BYTE);
        PageId other = new PageId(0, 0);
        pages.makeTwin(other);

        pages.applyDiff(other, new Payload.Received(MemorySegment.ofArray(diff), false));

        assertEquals(7, pages.content(other).get(ValueLayout.JAVA_LONG, 16));
        assertEquals(7, pages.twin(other).get(ValueLayout.JAVA_LONG, 16));
    }

    @Test
    void savedDiff_isLeftUntilItIsDropped() {
        pages.makeTwin(PAGE);
        pages.content(PAGE).set(ValueLayout.JAVA_LONG, 16, 7);
        pages.saveDiff(PAGE, 1, false);
        assertEquals(1, pages.diffsLeft());

        pages.dropDiff(PAGE, 1);

        assertEquals(0, pages.diffsLeft());
    }

    @Test
    void keptDiffs_areLeftUntilEachIsDroppedOrApplied() {
        pages.install(FIRST, PAGE, zeros(), PageAccess.READ);
        for (int keep = 1; keep <= 3; keep++) {
            pages.keepDiff(PAGE, keep, new Payload.Received(bytes(), false));
        }

        pages.dropKept(PAGE, 2);
        assertEquals(2, pages.diffsLeft());
        pages.applyDiff(PAGE, new Payload.KeptDiff(PAGE, 1));
        assertEquals(1, pages.diffsLeft());
        pages.dropKept(PAGE, 3);
        assertEquals(0, pages.diffsLeft());
    }

    @Test
    void keptDiffThatIsNotThere_isAViolation() {
        pages.keepDiff(PAGE, 1, new Payload.Received(bytes(), false));

        assertViolation("no kept diff 2", () -> pages.dropKept(PAGE, 2));
        assertViolation(
                "a diff kept twice",
                () -> pages.keepDiff(PAGE, 1, new Payload.Received(bytes(), false)));
    }

    @Test
    void zeroPage_neverTravelsAsBytes() {
        pages.install(FIRST, PAGE, zeros(), PageAccess.READ);

        assertEquals(0, pages.bytes(new Payload.PageImage(PAGE)).byteSize());
    }

    @Test
    void discardedPage_hasNoContent() {
        pages.install(FIRST, PAGE, zeros(), PageAccess.READ);
        assertTrue(pages.isPresent(PAGE));

        pages.discard(PAGE);

        assertFalse(pages.isPresent(PAGE));
        assertEquals(PageAccess.NONE, pages.access(PAGE));
    }

    @Test
    void withdrawalOfAFewPages_isDoneAtOnceAndKeepsContentAndTwin() {
        pages.makeTwin(PAGE);
        pages.resume(FIRST, PAGE, PageAccess.READ_WRITE);

        pages.withdraw(FIRST, PAGE, 1);

        assertEquals(PageAccess.NONE, pages.access(PAGE));
        assertTrue(pages.isPresent(PAGE));
        assertTrue(pages.hasTwin(PAGE));
    }

    @Test
    void accessDuringAWithdrawal_isTakenAtOnceAndGivenWhenItIsDone() {
        SimPages slow = pages(new Slow());
        PageId other = new PageId(0, 0);
        slow.install(FIRST, PAGE, zeros(), PageAccess.READ);
        slow.resume(FIRST, other, PageAccess.READ_WRITE);

        slow.withdraw(FIRST, other, 2);
        assertEquals(PageAccess.READ_WRITE, slow.access(other));
        slow.setAccess(FIRST, other, PageAccess.READ);
        assertEquals(PageAccess.NONE, slow.access(other));
        slow.resume(FIRST, PAGE, PageAccess.READ_WRITE);
        assertEquals(PageAccess.READ, slow.access(PAGE));
        slow.onWithdrawn(new Event.AccessWithdrawn(FIRST, other, 2, List.of()));

        assertEquals(PageAccess.READ, slow.access(other));
        assertEquals(PageAccess.READ_WRITE, slow.access(PAGE));
    }

    @Test
    void discardDuringAWithdrawal_takesBackWhatWasGiven() {
        SimPages slow = pages(new Slow());
        slow.install(FIRST, PAGE, zeros(), PageAccess.READ);

        slow.withdraw(FIRST, PAGE, 1);
        slow.resume(FIRST, PAGE, PageAccess.READ);
        slow.discard(PAGE);
        slow.onWithdrawn(new Event.AccessWithdrawn(FIRST, PAGE, 1, List.of()));

        assertEquals(PageAccess.NONE, slow.access(PAGE));
    }

    @Test
    void pageInATrap_isNotWithdrawn() {
        SimPages slow = pages(new Slow());
        slow.install(FIRST, PAGE, zeros(), PageAccess.READ);
        slow.trap(PAGE, MappingId.FIRST);

        slow.withdraw(FIRST, PAGE, 1);

        assertFalse(slow.isWithdrawing(PAGE));
        slow.onWithdrawn(new Event.AccessWithdrawn(FIRST, PAGE, 1, List.of(PAGE)));
        assertEquals(PageAccess.READ_WRITE, slow.access(PAGE));
    }

    private static void assertViolation(String text, Runnable action) {
        Violation violation = assertThrows(Violation.class, action::run);
        assertEquals(SimPages.CHECKER, violation.checker());
        assertTrue(violation.getMessage().contains(text), violation.getMessage());
    }

    private static Payload zeros() {
        return new Payload.Received(MemorySegment.ofArray(new byte[0]), true);
    }

    private static MemorySegment bytes() {
        return MemorySegment.ofArray(new byte[] {0, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8});
    }

    private static RegionSpec region(Protocol protocol) {
        return new RegionSpec(0, "shared", protocol, 0, 2 * PAGE_BYTES, Long.BYTES, 1, List.of());
    }
}
