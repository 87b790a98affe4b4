package io.muninn.agent.memory;

import static io.muninn.model.MappingId.FIRST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import io.muninn.model.PageId;
import io.muninn.nativefault.EngineKind;
import io.muninn.spi.Event;
import io.muninn.wire.Payload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Access that is granted, changed for neighbours at once, and withdrawn. */
@ParameterizedClass
@EnumSource(names = {"UFFD_EVENT", "MPROTECT_SIGNAL"})
class LivePageAccessTest extends LivePagesFixture {
    @Test
    void withdrawnPages_keepTheirContentAndFault() {
        bringIn(small(4), 400, PageAccess.READ_WRITE);
        bringIn(small(5), 500, PageAccess.READ_WRITE);

        pages.withdraw(FIRST, small(4), 2);
        until("the withdrawal", () -> events.stream().findFirst());

        assertEquals(List.of(new Event.AccessWithdrawn(FIRST, small(4), 2, List.of())), events);
        faultOnceAndLoad(small(5), 2, 502);
    }

    @Test
    void accessOfAnUnknownProcess_isRefused() {
        MappingId other = new MappingId(1);
        for (Executable act :
                List.<Executable>of(
                        () -> pages.setAccess(other, small(4), PageAccess.READ),
                        () -> pages.withdraw(other, small(4), 1),
                        () -> pages.install(other, small(4), zeros(), PageAccess.READ),
                        () ->
                                pages.install(
                                        other,
                                        List.of(small(4)),
                                        List.of(zeros()),
                                        PageAccess.READ),
                        () -> pages.resume(other, small(4), PageAccess.READ))) {
            assertThrows(IllegalArgumentException.class, act);
        }
    }

    /** The effect of an update on an unused copy, and of the next access. */
    @Test
    void updateThatTakesTheAccess_isSeenByTheNextAccessOnly() {
        bringIn(small(8), 800, PageAccess.READ);
        bringIn(small(9), 900, PageAccess.READ_WRITE);
        pages.setAccess(FIRST, small(9), PageAccess.READ);
        pages.makeTwin(small(9));
        pages.resume(FIRST, small(9), PageAccess.READ_WRITE);
        store(small(9), 2, 77);
        expectOver(small(9), 2, "stored");
        pages.setAccess(FIRST, small(9), PageAccess.READ);
        pages.saveDiff(small(9), 1, false);
        Payload diff = new Payload.SavedDiff(small(9), 1);

        for (int round = 0; round < 3; round++) {
            pages.applyDiff(small(8), diff);
            pages.setAccess(FIRST, small(8), PageAccess.NONE);
            pages.applyDiff(small(8), diff); // within the window
            faultOnceAndLoad(small(8), 2, 77);
            load(small(8), 3);
            expectOver(small(8), 3, "803");
        }
        pages.setAccess(FIRST, small(8), PageAccess.NONE);
        store(small(8), 4, 1);
        expectFault(small(8), FaultKind.WRITE);
        pages.makeTwin(small(8));
        pages.resume(FIRST, small(8), PageAccess.READ_WRITE);
        expectOver(small(8), 4, "stored");
        pages.setAccess(FIRST, small(8), PageAccess.READ);
        assertEquals(1, pages.saveDiff(small(8), 2, false).granules());

        pages.dropTwin(small(8));
        pages.setAccess(FIRST, small(8), PageAccess.NONE);
        pages.discard(small(8)); // the window is over
        load(small(8), 2);
        expectFault(small(8), FaultKind.READ);
        pages.install(FIRST, small(8), image(small(8), 2000), PageAccess.NONE);
        pages.resume(FIRST, small(8), PageAccess.READ);
        expectOver(small(8), 2, "2002");
    }

    @Test
    void neighbours_changeTogetherAndThoseWithoutContentStayWithout() {
        bringIn(small(3), 300, PageAccess.READ_WRITE);
        bringIn(small(4), 400, PageAccess.READ_WRITE);
        bringIn(small(6), 600, PageAccess.READ_WRITE);
        pages.setAccess(FIRST, small(2), 5, PageAccess.READ);
        store(small(4), 0, 1);
        expectFault(small(4), FaultKind.UPGRADE);
        pages.setAccess(FIRST, small(2), 5, PageAccess.NONE);
        pages.resume(FIRST, small(4), PageAccess.READ_WRITE);
        expectOver(small(4), 0, "stored");
        load(small(3), 1);
        expectFault(small(3), FaultKind.READ);
        pages.setAccess(FIRST, small(2), 3, PageAccess.READ);
        pages.resume(FIRST, small(3), PageAccess.READ);
        expectOver(small(3), 1, "301");
        faultOnceAndLoad(small(5), 0, 0);
        pages.discard(small(2), 5);
        faultOnceAndLoad(small(6), 0, 0);
        assertEquals(1L * PAGE, engine.allocatedBytes());
    }

    @Test
    void accessThatAlternates_isRefusedBeforeMappingsRunOut() {
        assumeTrue(kind == EngineKind.MPROTECT_SIGNAL, "uffd engines need no mappings");
        int max = mappingsMax();
        assumeTrue(max < MAPPINGS_MAX, "the machine allows too many mappings to use them up");

        IllegalStateException refusal =
                assertThrows(
                        IllegalStateException.class,
                        () -> {
                            for (int page = 0; page < MANY.pages(); page += 2) {
                                pages.resume(FIRST, new PageId(2, page), PageAccess.READ);
                            }
                        });

        String text = refusal.getMessage();
        assertTrue(text.startsWith("variable region2: to change the access of page "), text);
        assertTrue(text.contains("more than " + max / 2 + " mappings"), text);
        assertTrue(text.contains("vm.max_map_count"), text);
        assertEquals(max / 2, engine.first().mappings(), 1);
        commands.println(PageThreads.load(MANY.offset()));
        assertEquals(
                MANY.offset() + " 0", until("a load", () -> Optional.ofNullable(lines.poll())));
    }
}
