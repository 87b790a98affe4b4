package io.muninn.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Effect;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.LogicalClock;
import io.muninn.spi.VectorTimestamp;
import io.muninn.spi.ViewMark;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The views of two processes of node 1, in a cluster of three nodes. */
class LocalViewsTest {
    private static final NodeId SELF = NodeId.of(1);
    private static final MappingId FIRST = MappingId.FIRST;
    private static final MappingId SECOND = MappingId.of(1);
    private static final VectorTimestamp OF_2 = VectorTimestamp.zero(3).with(NodeId.of(2), 1);

    private final LogicalClock clock = new LogicalClock(SELF, 3, 2);
    private final List<GatedAcquire> begun = new ArrayList<>();
    private final RecordingEffects out = new RecordingEffects();
    private final LocalViews views =
            new LocalViews(clock, new NodeThreads(2, 1), (acquire, _, _) -> begun.add(acquire));

    private void acquired(VectorTimestamp until, MappingId... processes) {
        clock.onDeposited(until);
        clock.onAcquirePerformed(until, List.of(processes));
        views.onAcquirePerformed(out);
    }

    private static Effect covers(MappingId reader, MappingId of, long number) {
        return new Effect.ViewCovers(reader, new ViewMark(of, number));
    }

    private void expect(Object... effects) {
        assertEquals(List.of(effects), out.take());
    }

    @Test
    void acquireOfAProcess_isCoveredByItOnly() {
        acquired(OF_2, FIRST);

        expect(covers(FIRST, FIRST, 1), covers(FIRST, MappingId.ALL, 1));
        assertEquals(new ViewMark(FIRST, 1), views.mark(FIRST));
        assertEquals(new ViewMark(SECOND, 0), views.mark(SECOND));
        assertEquals(OF_2, views.of(MappingId.ALL));
        assertEquals(VectorTimestamp.zero(3), views.of(SECOND));
    }

    @Test
    void acquireOfTheSiblingsView_coversIt() {
        acquired(OF_2, FIRST);
        out.take();

        acquired(OF_2, SECOND);

        expect(
                covers(FIRST, SECOND, 1),
                covers(SECOND, FIRST, 1),
                covers(SECOND, SECOND, 1),
                covers(SECOND, MappingId.ALL, 1));
    }

    @Test
    void viewThatOneProcessHasSeen_isNotCoveredByAll() {
        acquired(OF_2, FIRST);

        assertTrue(views.covers(FIRST, OF_2));
        assertFalse(views.covers(SECOND, OF_2));
        assertFalse(views.covers(MappingId.ALL, OF_2));

        acquired(OF_2, SECOND);

        assertTrue(views.covers(MappingId.ALL, OF_2));
    }

    @Test
    void tokenWithoutAHolder_isCoveredByNobody() {
        acquired(OF_2);

        expect();
        assertEquals(new ViewMark(MappingId.ALL, 1), views.mark(MappingId.ALL));
    }

    @Test
    void acquireOfNothingNew_isNotNumbered() {
        acquired(OF_2, FIRST);
        out.take();

        acquired(OF_2, FIRST);

        expect();
        assertEquals(1, views.mark(FIRST).number());
    }

    @Test
    void ownIntervals_areInEveryView() {
        clock.stored();
        clock.endInterval();
        clock.onReleasePerformed(1);
        acquired(VectorTimestamp.zero(3).with(SELF, 1), FIRST);

        expect();
        assertEquals(VectorTimestamp.zero(3), views.of(FIRST));
    }

    @Test
    void processOfItsOwnNode_numbersNothing() {
        LogicalClock alone = new LogicalClock(SELF, 3);
        LocalViews single = new LocalViews(alone, new NodeThreads(1, 4), (_, _, _) -> {});
        alone.onAcquirePerformed(OF_2, List.of(FIRST));

        single.onAcquirePerformed(out);

        expect();
        assertEquals(0, single.mark(MappingId.ALL).number());
    }

    @Test
    void acquireWithinTheNode_begins() {
        GatedAcquire handover = new GatedAcquire.Handover(new LockId("queue"), SECOND);

        views.begin(handover, OF_2, out);

        assertSame(handover, begun.getFirst());
    }
}
