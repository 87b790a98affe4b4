package io.muninn.coherence.writeshared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.MessageLimits;
import io.muninn.spi.UpdateRules;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The batches of a flush, and the order of its pages. */
class FlushesTest {
    private static final long WINDOW_NANOS = 50_000_000;
    private static final long QUICK_NANOS = WINDOW_NANOS / 4;
    private static final long SLOW_NANOS = WINDOW_NANOS + 1;

    /** The pages of each of the 64 nodes. */
    private static final int BAND_PAGES = 10;

    private static FakeContext context(int self, UpdateRules rules) {
        FakeContext context =
                new FakeContext(self, Protocol.WRITE_SHARED, BAND_PAGES * NodeId.LIVE_MAX);
        context.updates(rules);
        return context;
    }

    private static void begin(Flushes flushes, List<PageId> pages) {
        assertFalse(flushes.isDirty());
        pages.forEach(flushes::dirty);
        assertTrue(flushes.isDirty());
        flushes.begin();
    }

    /** Pages that the root, among other nodes, flushes in its last round. */
    private static List<PageId> pages(int count) {
        return pages(BAND_PAGES, count);
    }

    private static List<PageId> pages(int first, int count) {
        return IntStream.range(first, first + count).mapToObj(i -> new PageId(0, i)).toList();
    }

    /** Compares all pages; each has changed. */
    private static void save(Flushes flushes) {
        while (flushes.canSave()) {
            Flushes.PageUpdate next = flushes.nextToSave();
            flushes.saved();
            flushes.ready(next, 12);
        }
    }

    /** Takes the pages whose updates may be sent now. */
    private static List<PageId> take(Flushes flushes) {
        List<PageId> taken = new ArrayList<>();
        while (flushes.canSend()) {
            taken.add(flushes.nextToSend().page);
        }
        return taken;
    }

    /** The sizes of the batches of a flush, each acknowledged after the same time. */
    private static List<Integer> batches(
            Flushes flushes, FakeContext context, int pages, long nanos) {
        return batches(flushes, context, pages(pages), nanos).stream().map(List::size).toList();
    }

    private static List<List<PageId>> batches(
            Flushes flushes, FakeContext context, List<PageId> pages, long nanos) {
        begin(flushes, pages);
        save(flushes);
        List<List<PageId>> batches = new ArrayList<>();
        for (List<PageId> batch = take(flushes); !batch.isEmpty(); batch = take(flushes)) {
            batches.add(batch);
            context.passNanos(nanos);
            for (PageId page : batch) {
                assertFalse(flushes.isIdle());
                flushes.done(flushes.underWay(page));
            }
            save(flushes);
        }
        assertTrue(flushes.isIdle());
        return batches;
    }

    @Test
    void quickBatches_growAndStayLarge() {
        FakeContext context = context(0, UpdateRules.DEFAULT);
        Flushes flushes = new Flushes(context);

        assertEquals(List.of(8, 16, 32, 44), batches(flushes, context, 100, QUICK_NANOS));
        assertEquals(List.of(64, 128, 256, 152), batches(flushes, context, 600, QUICK_NANOS));
        assertEquals(List.of(256, 256, 88), batches(flushes, context, 600, QUICK_NANOS));
    }

    @Test
    void slowBatches_shrinkAndStaySmall() {
        FakeContext context = context(0, UpdateRules.DEFAULT);
        Flushes flushes = new Flushes(context);
        batches(flushes, context, 30, QUICK_NANOS);

        assertEquals(List.of(32, 16, 8, 8, 6), batches(flushes, context, 70, SLOW_NANOS));
        assertEquals(List.of(8, 8, 4), batches(flushes, context, 20, QUICK_NANOS + 1));
    }

    @Test
    void smallBatch_saysNothingOfALargerOne() {
        FakeContext context = context(0, UpdateRules.DEFAULT);
        Flushes flushes = new Flushes(context);
        for (int i = 0; i < 10; i++) {
            assertEquals(List.of(7), batches(flushes, context, 7, QUICK_NANOS));
        }

        assertEquals(List.of(8, 1), batches(flushes, context, 9, QUICK_NANOS));
    }

    @Test
    void withoutATimeout_batchesAreAsLargeAsTheyCanBe() {
        FakeContext context = context(0, UpdateRules.PLAIN);
        Flushes flushes = new Flushes(context);

        assertEquals(List.of(256, 44), batches(flushes, context, 300, SLOW_NANOS));
        assertEquals(List.of(256, 44), batches(flushes, context, 300, SLOW_NANOS));
    }

    @Test
    void laterFlush_joinsTheBatchThatHasRoom() {
        Flushes flushes = new Flushes(context(0, UpdateRules.DEFAULT));
        begin(flushes, pages(5));
        save(flushes);
        assertEquals(5, take(flushes).size());

        begin(flushes, pages(100, 7));
        save(flushes);

        assertEquals(3, take(flushes).size());
        assertFalse(flushes.canSend());
    }

    @Test
    void pagesAreCompared_notAllInOneStep() {
        Flushes flushes = new Flushes(context(0, UpdateRules.DEFAULT));
        begin(flushes, pages(MessageLimits.USUAL.pages() + 1));
        for (int i = 0; i < MessageLimits.USUAL.pages(); i++) {
            assertTrue(flushes.canSave());
            flushes.nextToSave();
        }

        assertFalse(flushes.canSave());
        assertFalse(flushes.saved());
        assertTrue(flushes.canSave());
    }

    @Test
    void pageThatHasNotChanged_isInNoBatch() {
        Flushes flushes = new Flushes(context(0, UpdateRules.DEFAULT));
        begin(flushes, pages(9));
        Flushes.PageUpdate unchanged = flushes.nextToSave();
        flushes.saved();
        flushes.done(unchanged);
        save(flushes);

        assertEquals(8, take(flushes).size());
    }

    @Test
    void moreThanABatch_goesInRounds_fromTheBandBeforeTheNodesOwn() {
        List<PageId> all = pages(0, BAND_PAGES * NodeId.LIVE_MAX);
        for (int node = 0; node < NodeId.LIVE_MAX; node++) {
            FakeContext context = context(node, UpdateRules.DEFAULT);
            Flushes flushes = new Flushes(context);
            List<PageId> turned = new ArrayList<>(all);
            Collections.rotate(turned, BAND_PAGES - node * BAND_PAGES);

            assertEquals(
                    List.of(8, 2, 8, 2, 8, 8),
                    batches(flushes, context, turned, SLOW_NANOS).stream()
                            .map(List::size)
                            .limit(6)
                            .toList());
            assertEquals(
                    turned,
                    batches(flushes, context, all, QUICK_NANOS).stream()
                            .flatMap(List::stream)
                            .toList());
        }
    }

    @Test
    void firstRound_beginsTheWindowsOfTheNodesOwnCopies() {
        Flushes flushes = new Flushes(context(1, UpdateRules.DEFAULT));
        List<PageId> pages = pages(0, 3 * BAND_PAGES);
        begin(flushes, pages);
        save(flushes);
        for (PageId page : pages) {
            assertEquals(
                    page.index() < BAND_PAGES,
                    flushes.beginsWindow(flushes.underWay(page)),
                    "" + page);
        }
    }

    @Test
    void oneBatch_staysInOrder_andBeginsNoWindow() {
        Flushes flushes = new Flushes(context(1, UpdateRules.DEFAULT));
        List<PageId> backwards = pages(BAND_PAGES - 4, 8).reversed();
        begin(flushes, backwards);
        save(flushes);
        assertFalse(flushes.beginsWindow(flushes.underWay(backwards.getLast())));

        assertEquals(backwards, take(flushes));
    }

    @Test
    void withoutATimeout_thereAreNoRounds() {
        Flushes flushes = new Flushes(context(1, UpdateRules.PLAIN));
        List<PageId> backwards = pages(0, 300).reversed();
        begin(flushes, backwards);
        save(flushes);
        assertFalse(flushes.beginsWindow(flushes.underWay(backwards.getLast())));

        assertEquals(backwards.subList(0, 256), take(flushes));
    }
}
