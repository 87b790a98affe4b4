package io.muninn.coherence.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.model.PageId;
import io.muninn.spi.ReadAheadRules;
import io.muninn.spi.UpdateRules;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pages that are prepared after a fault: windows, streams, and the response to waste. */
class ReadAheadTest {
    private static final int PAGES = 100_000;

    private final FakeContext context = new FakeContext(1, Protocol.READ_ONLY, PAGES);
    private final ReadAhead readAhead = new ReadAhead(context);

    private static PageId page(int index) {
        return new PageId(0, index);
    }

    private void upTo(int pages) {
        context.updates(UpdateRules.PLAIN.withReadAhead(ReadAheadRules.upTo(pages)));
    }

    /** As "open to/ask from-to", all ends exclusive; "-" for nothing. */
    private String fault(int index) {
        ReadAhead.Step step = step(index);
        String open = step.openEnd() > index + 1 ? "open to " + step.openEnd() : "-";
        return step.askEnd() > step.askBegin()
                ? open + ", ask " + step.askBegin() + "-" + step.askEnd()
                : open;
    }

    /** A fault; the requested pages arrive, and the pages to open are opened. */
    private ReadAhead.Step step(int index) {
        ReadAhead.Step step = readAhead.onFault(page(index));
        for (int asked = step.askBegin(); asked < step.askEnd(); asked++) {
            readAhead.asked(page(asked));
        }
        for (int opened = index + 1; opened < step.openEnd(); opened++) {
            readAhead.opened(page(opened));
        }
        return step;
    }

    /**
     * Faults on a stream's pages, except those that are opened; returns the number of requested
     * pages.
     */
    private int runStream(int first, int end) {
        int asked = 0;
        for (int at = first; at < end; ) {
            ReadAhead.Step step = step(at);
            asked += step.askEnd() - step.askBegin();
            at = Math.max(at + 1, step.openEnd());
        }
        return asked;
    }

    @Test
    void off_saysNothing() {
        context.updates(UpdateRules.PLAIN);
        for (int i = 0; i < 100; i++) {
            assertEquals(ReadAhead.Step.NONE, readAhead.onFault(page(i)));
        }
        assertFalse(readAhead.isUnopened(page(3)));
    }

    @Test
    void secondFaultInOrder_beginsAndTheWindowDoubles() {
        upTo(64);
        assertEquals("-", fault(10));
        assertEquals("open to 13, ask 12-16", fault(11));
        assertEquals("open to 16, ask 16-22", fault(13));
        assertEquals("open to 21, ask 22-33", fault(16));
        assertEquals("open to 30, ask 33-54", fault(21));
        assertEquals("open to 39, ask 54-63", fault(30));
        assertEquals("open to 48, ask 63-72", fault(39));
    }

    @Test
    void longStream_hasALargeWindowAndAsksForAPartOfItAtATime() {
        upTo(64);
        int at = 0;
        int asked = 0;
        while (at < 3_000) {
            ReadAhead.Step step = step(at);
            if (at < ReadAhead.WINDOW_SURE * ReadAhead.USED_PART) {
                assertTrue(step.askEnd() - at <= 1 + ReadAhead.WINDOW_SURE, "at " + at);
            }
            asked = step.askEnd() - step.askBegin();
            at = Math.max(at + 1, step.openEnd());
        }
        assertEquals(1 + 64 / ReadAhead.OPEN_PART, asked);
    }

    /** As at the beginning of a stencil that reads three rows of several pages at once. */
    @Test
    void streamThatRunsIntoAnother_doesNotTakeItsFaults() {
        upTo(64);
        fault(20);
        assertEquals("open to 23, ask 22-26", fault(21));
        fault(0);
        fault(1);
        fault(3);
        assertEquals("open to 11, ask 12-23", fault(6));

        assertEquals("open to 26, ask 26-32", fault(23)); // both have requested it
        assertEquals("open to 20, ask 23-44", fault(11));
    }

    @Test
    void pagesOfAStreamThatAnotherHasUsed_areNoWaste() {
        upTo(64);
        fault(0);
        fault(1); // requests 2 to 5, and opens 2
        for (int i = 3; i < 6; i++) {
            readAhead.opened(page(i));
        }
        for (int i = 1; i <= ReadAhead.STREAMS_MAX; i++) {
            fault(1_000 * i); // ends it
        }
        assertEquals(ReadAhead.WINDOW_SURE, lead(50_000, 50_200));
    }

    @Test
    void window_isAtMostTheLimit() {
        upTo(3);
        assertEquals("-", fault(0));
        assertEquals("-, ask 2-5", fault(1));
        assertEquals("-, ask 5-6", fault(2));
        assertEquals("-, ask 6-7", fault(3));
    }

    @Test
    void faultOnAPageThatWasAskedFor_continuesTheStreamToo() {
        upTo(64);
        fault(10);
        fault(11);
        assertEquals("open to 17, ask 16-23", fault(14));
    }

    @Test
    void endOfTheRegion_isNotPassed() {
        upTo(64);
        fault(PAGES - 3);
        assertEquals("open to 100000, ask 99999-100000", fault(PAGES - 2));
        assertEquals("-", fault(PAGES - 1));
    }

    @Test
    void faultsOutOfOrder_askForNothing() {
        upTo(64);
        for (int i = 0; i < 200; i++) {
            assertEquals("-", fault((i * 7919) % PAGES));
        }
        assertEquals("-", fault(40));
        assertEquals("-", fault(39));
        assertEquals("-", fault(38));
    }

    @Test
    void streamsOfSeveralThreads_goOnSideBySide() {
        upTo(64);
        List<String> first = new ArrayList<>();
        for (int i = 0; i < ReadAhead.STREAMS_MAX; i++) {
            fault(1000 * i);
        }
        for (int i = 0; i < ReadAhead.STREAMS_MAX; i++) {
            first.add(fault(1000 * i + 1));
        }
        for (int i = 0; i < ReadAhead.STREAMS_MAX; i++) {
            int at = 1000 * i;
            assertEquals(
                    "open to " + (at + 3) + ", ask " + (at + 2) + "-" + (at + 6), first.get(i));
        }
    }

    @Test
    void oneStreamTooMany_endsTheOneThatHasStoodLongest() {
        upTo(64);
        for (int i = 0; i <= ReadAhead.STREAMS_MAX; i++) {
            fault(1000 * i);
        }
        assertEquals("-", fault(1)); // begins a new stream
        assertEquals("open to 4, ask 3-7", fault(2));
        assertEquals("open to 8003, ask 8002-8006", fault(8001));
    }

    /** Two faults in order; no requested page is used. */
    private int wasteStreams(int count, int from) {
        int asked = 0;
        for (int i = 0; i < count; i++) {
            asked += runStream(from + 20 * i, from + 20 * i + 2);
        }
        return asked;
    }

    @Test
    void streamsOfWhichLittleIsUsed_endTheReadAheadOfTheirRegion() {
        upTo(64);
        assertEquals(4 * 8, wasteStreams(8, 0));
        wasteStreams(7, 200); // seven have ended, of 64, 32, 16, 8, 4, 2 and 1; one is refused
        assertEquals(0, wasteStreams(ReadAhead.REFUSALS_MAX - 2, 400));
        assertEquals(4, wasteStreams(1, 1_100));
    }

    @Test
    void streamsThatAreUsed_raiseTheLimitAgain() {
        upTo(64);
        wasteStreams(ReadAhead.STREAMS_MAX, 0);
        int usedStreams = 3 * ReadAhead.STREAMS_MAX;
        List<Integer> leads = new ArrayList<>();
        for (int i = 0; i < usedStreams; i++) {
            leads.add(lead(1_000 + 1_500 * i, 1_000 + 1_500 * i + 1_000));
        }
        assertTrue(leads.get(ReadAhead.STREAMS_MAX - 1) <= ReadAhead.WINDOW_FIRST);
        assertEquals(64, leads.getLast());
    }

    /** The largest number of pages that a stream requested beyond the one that faulted. */
    private int lead(int first, int end) {
        int most = 0;
        for (int at = first; at < end; ) {
            ReadAhead.Step step = step(at);
            most = Math.max(most, step.askEnd() - at - 1);
            at = Math.max(at + 1, step.openEnd());
        }
        return most;
    }

    @Test
    void pageThatIsAskedFor_isUnopenedUntilItIsTouched() {
        upTo(8);
        readAhead.asked(page(5));
        readAhead.asked(page(6));
        assertTrue(readAhead.isUnopened(page(5)));
        fault(5);
        assertFalse(readAhead.isUnopened(page(5)));
        readAhead.opened(page(6));
        assertFalse(readAhead.isUnopened(page(6)));
    }
}
