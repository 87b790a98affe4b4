package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.model.PageId;
import io.muninn.spi.NodeCounter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The counts of pages, in kernels that use them. */
class PageStatisticsTest {
    private static final PageId PAGE = new PageId(0, 1);
    private static final int NOBODY_RECEIVES = 9;

    private static ManualCluster cluster(Protocol protocol) {
        ManualCluster fixture = new ManualCluster(3, 1, ManualCluster.region(0, protocol, 2));
        fixture.node(1).statistics().keepEveryPage();
        return fixture;
    }

    private static RegionCounts counts(ManualCluster fixture, int node) {
        return fixture.node(node).statistics().counts().getFirst();
    }

    private static long total(ManualCluster fixture, PageCount count) {
        long total = 0;
        for (int i = 0; i < fixture.nodes().size(); i++) {
            total += counts(fixture, i).total(count);
        }
        return total;
    }

    @Test
    void faultsAndPages_areCountedOfThePageAndOfItsRegion() {
        ManualCluster fixture = cluster(Protocol.CONVENTIONAL);
        fixture.thread(1, 0).load(PAGE, 0, _ -> {}).store(PAGE, 0, 5);
        fixture.settle();

        RegionCounts asker = counts(fixture, 1);
        RegionCounts owner = counts(fixture, 0);

        assertEquals(List.of(1), asker.pages().stream().map(RegionCounts.OfPage::page).toList());
        assertEquals(1, asker.total(PageCount.READ_FAULTS));
        assertEquals(1, asker.total(PageCount.WRITE_FAULTS));
        assertEquals(1, asker.total(PageCount.PAGES_FETCHED));
        assertEquals(1, asker.pages().getFirst().value(PageCount.PAGES_FETCHED));
        assertEquals(2, asker.total(PageCount.MESSAGES), "a request for a copy, one for the page");
        assertEquals(2, owner.total(PageCount.MESSAGES));
        assertEquals(1, owner.byKind().get("read-reply").messages());
        assertTrue(owner.byKind().get("read-reply").bytes() > 0);
        assertEquals(
                owner.total(PageCount.BYTES),
                owner.byKind().values().stream().mapToLong(RegionCounts.Sent::bytes).sum());
    }

    @Test
    void storesToOtherElementsAtTheSameTime_areFalseSharing() {
        ManualCluster fixture = falselyShared(1);

        assertEquals(1, total(fixture, PageCount.FALSELY_SHARED));
        assertEquals(0, total(fixture, PageCount.CONFLICTING));
        assertEquals(
                fixture.count(NodeCounter.DIFFS_APPLIED), total(fixture, PageCount.DIFFS_APPLIED));
        assertEquals(fixture.count(NodeCounter.DIFFS_MADE), total(fixture, PageCount.DIFFS_MADE));
        assertEquals(fixture.count(NodeCounter.TWINS_MADE), total(fixture, PageCount.TWINS_MADE));
    }

    @Test
    void storesToOneElementAtTheSameTime_areAConflict() {
        ManualCluster fixture = falselyShared(0);

        assertEquals(0, total(fixture, PageCount.FALSELY_SHARED));
        assertEquals(1, total(fixture, PageCount.CONFLICTING));
    }

    @Test
    void flushesThatCross_areFalseSharingToo() {
        ManualCluster fixture = copies();
        fixture.hold(1, 2);
        fixture.hold(2, 1);
        for (int node = 1; node < 3; node++) {
            fixture.thread(node, 0).store(PAGE, node, 5).send(0, NOBODY_RECEIVES, EMPTY);
        }
        fixture.settle();
        assertEquals(0, total(fixture, PageCount.FALSELY_SHARED));
        fixture.free(1, 2);
        fixture.free(2, 1);

        fixture.settle();

        assertEquals(2, total(fixture, PageCount.FALSELY_SHARED));
    }

    @Test
    void storesOneAfterTheOther_areNeither() {
        ManualCluster fixture = copies();
        for (int node = 1; node < 3; node++) {
            fixture.thread(node, 0).store(PAGE, node, 5).send(0, NOBODY_RECEIVES, EMPTY);
            fixture.settle();
        }

        assertTrue(total(fixture, PageCount.DIFFS_APPLIED) > 0);
        assertEquals(0, total(fixture, PageCount.FALSELY_SHARED));
        assertEquals(0, total(fixture, PageCount.CONFLICTING));
    }

    @Test
    void pagesOfNoInterest_areLeftOutUnlessAskedFor() {
        ManualCluster fixture = falselyShared(1);

        assertEquals(1, counts(fixture, 1).pages().size(), "of this node all are kept");
        RegionCounts.OfPage suspected = counts(fixture, 2).pages().getFirst();
        assertEquals(PAGE.index(), suspected.page());
        assertEquals(1, suspected.value(PageCount.FALSELY_SHARED));
        assertEquals(0, suspected.value(PageCount.READ_FAULTS));
        assertEquals(List.of(), counts(fixture, 0).pages());
        assertTrue(counts(fixture, 0).total(PageCount.DIFFS_APPLIED) > 0);
    }

    private static ManualCluster copies() {
        ManualCluster fixture = cluster(Protocol.WRITE_SHARED);
        for (int node = 0; node < 3; node++) {
            fixture.thread(node, 0).load(PAGE, 0, _ -> {});
            fixture.settle();
        }
        return fixture;
    }

    /** Node 1 stores to word 0, node 2 to another; then node 2 receives node 1's store. */
    private static ManualCluster falselyShared(int other) {
        ManualCluster fixture = copies();
        fixture.thread(2, 0).store(PAGE, other, 6);
        fixture.settle();
        fixture.thread(1, 0).store(PAGE, 0, 5).send(0, NOBODY_RECEIVES, EMPTY);
        fixture.settle();
        return fixture;
    }

    private static final io.muninn.spi.Bytes EMPTY = io.muninn.spi.Bytes.EMPTY;
}
