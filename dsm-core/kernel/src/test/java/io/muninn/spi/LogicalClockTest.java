package io.muninn.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.wire.ByteReader;
import io.muninn.wire.ByteWriter;
import io.muninn.wire.MalformedMessageException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Timestamps, and the clock of node 1 of a cluster of three nodes. */
class LogicalClockTest {
    private static final NodeId SELF = NodeId.of(1);
    private static final NodeId OTHER = NodeId.of(2);

    private final LogicalClock clock = new LogicalClock(SELF, 3);

    private static VectorTimestamp timestamp(long first, long second, long third) {
        return VectorTimestamp.zero(3)
                .with(NodeId.of(0), first)
                .with(SELF, second)
                .with(OTHER, third);
    }

    // timestamps

    @Test
    void timestamps_areComparedAsAPartialOrder() {
        VectorTimestamp one = timestamp(1, 5, 0);
        VectorTimestamp another = timestamp(2, 4, 0);

        assertFalse(one.covers(another));
        assertFalse(another.covers(one));
        assertEquals(timestamp(2, 5, 0), one.join(another));
        assertTrue(one.join(another).covers(one));
        assertTrue(one.covers(SELF, 5));
        assertFalse(one.covers(SELF, 6));
    }

    @Test
    void encodedTimestamp_isDecoded() {
        VectorTimestamp timestamp = timestamp(0, Long.MAX_VALUE, 300);
        ByteWriter out = new ByteWriter();

        timestamp.encode(out);

        assertEquals(timestamp, VectorTimestamp.decode(new ByteReader(out.toArray())));
    }

    @Test
    void timestampOfNoClusterOfThisSystem_isMalformed() {
        for (int nodes : List.of(0, NodeId.NODES_MAX + 1)) {
            ByteWriter out = new ByteWriter();
            out.varint(nodes);
            out.bytes(new byte[nodes]);
            ByteReader in = new ByteReader(out.toArray());
            assertThrows(MalformedMessageException.class, () -> VectorTimestamp.decode(in));
        }
    }

    // intervals

    @Test
    void intervalWithoutStores_doesNotEnd() {
        clock.endInterval();
        assertEquals(1, clock.interval());

        clock.stored();
        clock.endInterval();
        clock.endInterval();

        assertEquals(2, clock.interval());
    }

    @Test
    void endedInterval_isSeenWhenItsReleaseIsPerformed() {
        clock.stored();
        clock.endInterval();
        assertEquals(timestamp(0, 1, 0), clock.have());
        assertEquals(timestamp(0, 0, 0), clock.seen());

        clock.onReleasePerformed(1);

        assertEquals(timestamp(0, 1, 0), clock.seen());
    }

    @Test
    void releaseOfAnIntervalThatHasNotEnded_coversThoseBefore() {
        clock.stored();
        clock.endInterval();

        clock.onReleasePerformed(2); // it began in the second, with nothing stored

        assertEquals(timestamp(0, 1, 0), clock.seen());
    }

    @Test
    void performedRelease_coversNoIntervalThatEndedBehindIt() {
        for (int i = 0; i < 3; i++) {
            clock.stored();
            clock.endInterval();
        }

        clock.onReleasePerformed(1); // the releases of the others are outstanding
        assertEquals(timestamp(0, 1, 0), clock.seen());

        clock.onReleasePerformed(2);
        assertEquals(timestamp(0, 2, 0), clock.seen());
        assertEquals(timestamp(0, 3, 0), clock.have());
    }

    @Test
    void releasesPerformedOutOfOrder_uncoverNothing() {
        for (int i = 0; i < 2; i++) {
            clock.stored();
            clock.endInterval();
        }

        clock.onReleasePerformed(2);
        clock.onReleasePerformed(1);

        assertEquals(timestamp(0, 2, 0), clock.seen());
    }

    // acquires

    @Test
    void depositedCargo_isNotInTheTimestampOfAnInterval() {
        clock.onDeposited(timestamp(4, 0, 7));

        assertEquals(timestamp(4, 0, 7), clock.have());
        assertEquals(timestamp(0, 1, 0), clock.timestamp());
    }

    @Test
    void performedAcquire_isInTheTimestampOfAnInterval() {
        clock.onDeposited(timestamp(4, 0, 7));
        clock.onAcquirePerformed(timestamp(4, 0, 6));

        assertEquals(timestamp(4, 1, 6), clock.timestamp());
    }

    // views

    @Test
    void viewOfTheOnlyProcess_isWhatTheNodeHasSeen() {
        clock.onAcquirePerformed(timestamp(4, 0, 7), List.of());

        assertEquals(timestamp(4, 0, 7), clock.view(MappingId.FIRST));
    }

    @Test
    void acquireOfAProcess_isInItsViewAndInThatOfTheNode() {
        LogicalClock several = new LogicalClock(SELF, 3, 2);
        several.onAcquirePerformed(timestamp(4, 0, 7), List.of(MappingId.of(1)));
        several.onAcquirePerformed(timestamp(5, 0, 2), List.of(MappingId.FIRST));

        assertEquals(timestamp(5, 0, 2), several.view(MappingId.FIRST));
        assertEquals(timestamp(4, 0, 7), several.view(MappingId.of(1)));
        assertEquals(timestamp(5, 0, 7), several.view(MappingId.ALL));
    }

    @Test
    void acquireForEveryProcess_isInEachView() {
        LogicalClock several = new LogicalClock(SELF, 3, 2);
        several.onAcquirePerformed(timestamp(4, 0, 7));

        assertEquals(timestamp(4, 0, 7), several.view(MappingId.FIRST));
        assertEquals(timestamp(4, 0, 7), several.view(MappingId.of(1)));
    }

    @Test
    void acquireForNoProcess_isInTheViewOfTheNodeOnly() {
        LogicalClock several = new LogicalClock(SELF, 3, 2);
        several.onAcquirePerformed(timestamp(4, 0, 7), List.of());

        assertEquals(timestamp(0, 0, 0), several.view(MappingId.FIRST));
        assertEquals(timestamp(4, 0, 7), several.seen());
    }

    @Test
    void endedInterval_isInEveryViewAtOnce() {
        LogicalClock several = new LogicalClock(SELF, 3, 2);
        several.stored();
        several.endInterval();

        assertEquals(timestamp(0, 1, 0), several.view(MappingId.of(1)));
        assertEquals(timestamp(0, 0, 0), several.seen());
        assertEquals(timestamp(0, 0, 0), several.ofOthers(several.view(MappingId.of(1))));
    }
}
