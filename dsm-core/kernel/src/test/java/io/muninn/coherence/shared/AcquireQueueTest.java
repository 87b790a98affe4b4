package io.muninn.coherence.shared;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Protocol;
import io.muninn.coherence.FakeContext;
import io.muninn.coherence.shared.WriteNotices.Notice;
import io.muninn.model.LockId;
import io.muninn.model.MappingId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.spi.Effect;
import io.muninn.spi.Effects;
import io.muninn.spi.GatedAcquire;
import io.muninn.spi.GatedRelease;
import io.muninn.spi.NodeCounter;
import io.muninn.spi.VectorTimestamp;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Acquires and collections of node 0, of the stores of node 1; each page must be awaited. */
class AcquireQueueTest {
    private static final NodeId OTHER = NodeId.of(1);
    private static final VectorTimestamp NONE = VectorTimestamp.zero(NodeId.LIVE_MAX);
    private static final GatedAcquire TOKEN = new GatedAcquire.Token(new LockId("lock"));

    private final FakeContext context = new FakeContext(0, Protocol.HOME_BASED);
    private final WriteNotices notices = new WriteNotices(context);
    private final List<Long> acted = new ArrayList<>(); // intervals
    private final List<String> performed = new ArrayList<>();
    private final Effects out = new Performed();
    private final AcquireQueue queue =
            new AcquireQueue(
                    () -> context.clock().seen(),
                    notices,
                    (news, effects) -> {
                        for (Notice notice : news) {
                            acted.add(notice.interval());
                            awaitOne();
                        }
                    });

    /** The queue's reports to the kernel. */
    private final class Performed implements Effects {
        @Override
        public void acquirePerformed(GatedAcquire acquire) {
            performed.add("acquire");
        }

        @Override
        public void endInterval() {
            performed.add("end of interval");
        }

        @Override
        public void collectPerformed(long number) {
            throw new AssertionError("the caller says so");
        }

        @Override
        public void releasePerformed(GatedRelease leaving) {
            throw new AssertionError(leaving);
        }

        @Override
        public void cameUnasked(PageId page) {
            throw new AssertionError(page);
        }

        @Override
        public MappingId mapping() {
            return MappingId.FIRST;
        }

        @Override
        public void add(Effect effect) {
            throw new AssertionError(effect);
        }

        @Override
        public void count(NodeCounter counter, long amount) {
            throw new AssertionError(counter);
        }
    }

    private void awaitOne() {
        queue.await();
    }

    /** The intervals of node 1 up to a number have arrived. */
    private void deposit(int last) {
        FakeContext other = new FakeContext(1, Protocol.HOME_BASED);
        WriteNotices ofOther = new WriteNotices(other);
        for (int i = 1; i <= last; i++) {
            other.clock().stored();
            ofOther.add(List.of(new PageId(0, i)));
            other.clock().endInterval();
        }
        notices.deposit(OTHER, ofOther.forMessage(context.self()));
    }

    private static VectorTimestamp upTo(long interval) {
        return NONE.with(OTHER, interval);
    }

    private void collect(long upTo) {
        queue.addCollection(upTo(upTo), _ -> performed.add("collection to " + upTo), out);
    }

    @Test
    void collection_actsAheadOfTheAcquire_whichFindsNothingLeft() {
        deposit(2);

        collect(2);
        assertEquals(List.of(1L, 2L), acted);
        queue.settled(1, out);
        assertEquals(List.of(), performed);
        queue.settled(1, out);
        assertEquals(List.of("collection to 2"), performed);

        acted.clear();
        queue.add(TOKEN, upTo(2), out);
        assertEquals(List.of(), acted);
        assertEquals(List.of("collection to 2", "acquire"), performed);
    }

    @Test
    void collectionBehindAnAcquire_waitsForItsTurn() {
        deposit(3);

        queue.add(TOKEN, upTo(1), out);
        collect(3);
        assertEquals(List.of(1L), acted);

        queue.settled(1, out);
        gatePerformed(1);
        assertEquals(List.of(1L, 2L, 3L), acted);
        queue.settled(2, out);
        assertEquals(List.of("acquire", "end of interval", "collection to 3"), performed);
    }

    /**
     * Threads may store to the interval that the second acquire ends, with the lock of the first.
     */
    @Test
    void acquireBehindAnAcquire_waitsUntilAllProtocolsHavePerformedThat() {
        deposit(2);

        queue.add(TOKEN, upTo(1), out);
        queue.add(TOKEN, upTo(2), out);
        queue.settled(1, out);
        queue.onAcquirePerformed(out); // another one
        assertEquals(List.of(1L), acted);
        assertEquals(List.of("acquire"), performed);

        gatePerformed(1);
        assertEquals(List.of(1L, 2L), acted);
        assertEquals(List.of("acquire", "end of interval"), performed);
    }

    @Test
    void acquireAfterOneThatOtherProtocolsStillPerform_waitsForThem() {
        deposit(2);
        queue.add(TOKEN, upTo(1), out);
        queue.settled(1, out);

        queue.add(TOKEN, upTo(2), out);
        assertEquals(List.of(1L), acted);

        gatePerformed(1);
        assertEquals(List.of(1L, 2L), acted);
    }

    /** All protocols have performed their parts of an acquire. */
    private void gatePerformed(long upTo) {
        context.clock().onAcquirePerformed(upTo(upTo));
        queue.onAcquirePerformed(out);
    }

    @Test
    void nothingNew_isCollectedAtOnce() {
        collect(5);

        assertEquals(List.of("collection to 5"), performed);
    }
}
