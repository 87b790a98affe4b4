package io.muninn.agent.memory;

import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.model.FaultKind;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.wire.MalformedMessageException;
import io.muninn.wire.Payload;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The content of pages: images, twins, diffs, and poison. */
@ParameterizedClass
@EnumSource(names = {"UFFD_EVENT", "MPROTECT_SIGNAL"})
class LivePagesTest extends LivePagesFixture {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

    @Test
    void installedPage_isReadableAndAStoreIsAnUpgrade() {
        bringIn(small(3), 100, PageAccess.READ);

        load(small(3), 5);
        expectOver(small(3), 5, "105");
        upgrade(small(3), 5, 7);
        assertEquals(7, word(pages.bytes(new Payload.PageImage(small(3))), 5));
    }

    @Test
    void installOverContent_replacesItAndFaultsMeanwhile() {
        bringIn(small(0), 1000, PageAccess.READ_WRITE);

        pages.install(FIRST, small(0), image(small(0), 2000), PageAccess.NONE);

        faultOnceAndLoad(small(0), 1, 2001);
    }

    /** Neighbours, one of zeros and one with content among them, and pages of another size. */
    @Test
    void imagesOfManyPages_areInstalledTogetherWithoutAccess() {
        bringIn(small(4), 1000, PageAccess.READ_WRITE);
        List<PageId> several = List.of(small(3), small(4), small(5), small(6), large(1));

        pages.install(
                FIRST,
                several,
                List.of(
                        image(small(3), 3000),
                        image(small(4), 4000),
                        zeros(),
                        image(small(6), 6000),
                        image(large(1), 8000)),
                PageAccess.NONE);

        assertEquals(4001, word(pages.bytes(new Payload.PageImage(small(4))), 1));
        assertEquals(0, pages.bytes(new Payload.PageImage(small(5))).byteSize());
        for (PageId page : several) {
            boolean isZero = page.equals(small(5));
            long fill = page.equals(large(1)) ? 8000 : 1000L * page.index();
            faultOnceAndLoad(page, 1, isZero ? 0 : fill + 1);
        }
        upgrade(small(6), 0, 1);
    }

    @Test
    void pageOfZeros_needsNoBytesAndHasNone() {
        assertEquals(0, pages.bytes(new Payload.PageImage(small(1))).byteSize());

        store(small(1), 0, 9);
        expectFault(small(1), FaultKind.WRITE);
        pages.install(FIRST, small(1), zeros(), PageAccess.NONE);
        assertEquals(0, pages.bytes(new Payload.PageImage(small(1))).byteSize());
        pages.resume(FIRST, small(1), PageAccess.READ_WRITE);
        expectOver(small(1), 0, "stored");

        assertEquals(PAGE, pages.bytes(new Payload.PageImage(small(1))).byteSize());
    }

    @Test
    void resumeOfAPageWithoutContent_givesZeros() {
        load(small(2), 4);
        expectFault(small(2), FaultKind.READ);

        pages.resume(FIRST, small(2), PageAccess.READ_WRITE);

        expectOver(small(2), 4, "0");
    }

    @Test
    void imageOfTheWrongLength_isMalformedAndTheTextNamesThePage() {
        MalformedMessageException thrown =
                assertThrows(
                        MalformedMessageException.class,
                        () -> pages.install(FIRST, small(2), image(large(0), 1), PageAccess.READ));

        assertEquals("page 0/2 of 4096 bytes came as 16384", thrown.getMessage());
    }

    @Test
    void unitOfFourPages_movesAsOne() {
        bringIn(large(1), 5000, PageAccess.READ_WRITE);
        int last = LARGE.pageBytes() / 8 - 1;
        store(large(1), last, 1);
        expectOver(large(1), last, "stored");

        pages.setAccess(FIRST, large(1), PageAccess.READ);
        store(large(1), last, 2);
        expectFault(large(1), FaultKind.UPGRADE);
        load(large(1), 512);
        expectOver(large(1), 512, "5512");

        pages.discard(large(1));
        load(large(1), 513); // another machine page of the unit
        expectFault(large(1), FaultKind.READ);
        pages.install(FIRST, large(1), zeros(), PageAccess.READ_WRITE);
        pages.resume(FIRST, large(1), PageAccess.READ_WRITE);
        String first = until("both", () -> Optional.ofNullable(lines.poll()));
        String second = until("both", () -> Optional.ofNullable(lines.poll()));
        List<String> over = new ArrayList<>(List.of(first, second));
        over.sort(null);
        List<String> expected =
                new ArrayList<>(
                        List.of(
                                (offset(large(1)) + last * 8L) + " stored",
                                (offset(large(1)) + 513 * 8L) + " 0"));
        expected.sort(null);
        assertEquals(expected, over);
    }

    @Test
    void diffOfOnePage_isAppliedToPageAndTwinOfAnother() {
        bringIn(small(8), 0, PageAccess.READ);
        bringIn(small(9), 0, PageAccess.READ);
        pages.makeTwin(small(8));
        pages.makeTwin(small(9));
        pages.resume(FIRST, small(8), PageAccess.READ_WRITE);
        pages.resume(FIRST, small(9), PageAccess.READ_WRITE);
        store(small(8), 10, 77);
        expectOver(small(8), 10, "stored");
        store(small(8), 11, 88);
        expectOver(small(8), 11, "stored");
        store(small(9), 11, 99);
        expectOver(small(9), 11, "stored");

        pages.setAccess(FIRST, small(8), PageAccess.READ);
        assertEquals(2, pages.saveDiff(small(8), 1, false).granules());
        pages.keepDiff(small(9), 4, new Payload.SavedDiff(small(8), 1));
        pages.keepDiff(small(9), 5, new Payload.SavedDiff(small(8), 1));
        pages.dropKept(small(9), 5);
        int overlap = pages.applyDiff(small(9), new Payload.KeptDiff(small(9), 4));

        assertEquals(1, overlap, "both stored to word 11");
        MemorySegment page = pages.bytes(new Payload.PageImage(small(9)));
        MemorySegment twin = pages.bytes(new Payload.TwinImage(small(9)));
        assertEquals(77, word(page, 10));
        assertEquals(77, word(twin, 10));
        pages.setAccess(FIRST, small(9), PageAccess.READ);
        assertEquals(88, word(twin, 11));
        assertEquals(99, word(page, 11), "what a local thread stored stays");
        assertEquals(1, pages.saveDiff(small(9), 2, false).granules(), "and is sent");
    }

    @Test
    void twinsAndDiffs_areFreed() {
        bringIn(small(10), 0, PageAccess.READ);
        for (int interval = 1; interval <= 50; interval++) {
            pages.makeTwin(small(10));
            pages.resume(FIRST, small(10), PageAccess.READ_WRITE);
            store(small(10), 1, interval);
            expectOver(small(10), 1, "stored");
            pages.setAccess(FIRST, small(10), PageAccess.READ);
            pages.saveDiff(small(10), interval, false);
            pages.dropTwin(small(10));
            pages.dropDiff(small(10), interval);
        }

        assertEquals(0, engine.twinBytes());
        assertThrows(
                IllegalStateException.class,
                () -> pages.bytes(new Payload.SavedDiff(small(10), 50)));
        assertThrows(
                IllegalStateException.class, () -> pages.bytes(new Payload.TwinImage(small(10))));
    }

    @Test
    void twinOfAPageWithoutContent_isZeros() {
        pages.makeTwin(small(11));

        assertEquals(0, pages.bytes(new Payload.TwinImage(small(11))).byteSize());
    }

    @Test
    void malformedDiff_isRefusedAndTheTextNamesTheVariable() {
        bringIn(small(12), 0, PageAccess.READ);
        Payload.Received nonsense = new Payload.Received(arena.allocate(3, 8), false);

        MalformedMessageException thrown =
                assertThrows(
                        MalformedMessageException.class,
                        () -> pages.applyDiff(small(12), nonsense));

        assertEquals("diff of page 0/12 in variable region0 is malformed", thrown.getMessage());
    }

    @Test
    void poisonedPage_failsWhoeverWaitsAndWhoeverComes() {
        load(small(13), 0);
        expectFault(small(13), FaultKind.READ);
        pages.makeTwin(small(14));

        pages.poison(small(13));
        pages.poison(small(14)); // with content and a twin

        expectOver(small(13), 0, "error");
        load(small(14), 1);
        expectOver(small(14), 1, "error");
        pages.resume(FIRST, small(13), PageAccess.READ); // the kernel may not know yet
        pages.setAccess(FIRST, small(13), PageAccess.READ);
        load(small(13), 2);
        expectOver(small(13), 2, "error");
    }

    @Test
    void overdueFault_isReportedOnce() {
        load(small(15), 0);
        expectFault(small(15), FaultKind.READ);
        List<PageId> reported = new ArrayList<>();
        long now = System.nanoTime();

        reportOverdue(now, 5, reported);
        assertEquals(List.of(), reported);
        reportOverdue(now + 6 * LOOK_NANOS, 6, reported);

        assertEquals(List.of(small(15)), reported);
        pages.resume(FIRST, small(15), PageAccess.READ);
        expectOver(small(15), 0, "0");
        reportOverdue(now + 12 * LOOK_NANOS, 6, reported);
        assertEquals(1, reported.size());
    }

    /** Its node was stopped for an hour together with all others, which must continue first. */
    @Test
    void faultAcrossAStopOfTheAgent_isOverdueOnlyAfterAnotherLimit() {
        load(small(15), 0);
        expectFault(small(15), FaultKind.READ);
        List<PageId> reported = new ArrayList<>();
        long now = System.nanoTime();
        long later = now + TimeUnit.HOURS.toNanos(1);

        reportOverdue(now, 2, reported);
        reportOverdue(later, 5, reported);
        assertEquals(List.of(), reported);
        reportOverdue(later + 6 * LOOK_NANOS, 1, reported);

        assertEquals(List.of(small(15)), reported);
        pages.resume(FIRST, small(15), PageAccess.READ);
        expectOver(small(15), 0, "0");
    }

    /** As the agent does, five times per limit. */
    private void reportOverdue(long fromNanos, int looks, List<PageId> reported) {
        for (int i = 0; i <= looks; i++) {
            pages.reportOverdue(fromNanos + i * LOOK_NANOS, 5 * LOOK_NANOS, reported::add);
        }
    }
}
