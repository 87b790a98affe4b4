package io.muninn.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.muninn.api.spi.OverriddenLink;
import io.muninn.api.spi.PageAdvice;
import io.muninn.api.spi.ViewBinder;
import io.muninn.api.spi.ViewLink;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The requests of views to their nodes: prefetches, advice and homes. */
class HintsTest {
    /** Records the calls; the home of an offset is the offset. */
    private static final class Recorder implements ViewLink {
        final List<String> asked = new ArrayList<>();
        Protocol protocol = Protocol.HYBRID;

        @Override
        public Optional<Protocol> protocol() {
            return Optional.of(protocol);
        }

        @Override
        public void advise(long offset, long bytes, PageAdvice advice) {
            asked.add(offset + " " + bytes + " " + advice);
        }

        @Override
        public void prefetch(long offset, long bytes, Mode mode) {
            asked.add(offset + " " + bytes + " " + mode);
        }

        @Override
        public int home(long offset) {
            return (int) offset;
        }
    }

    private final Recorder link = new Recorder();

    private <V extends SharedVariable> V bound(V view) {
        return bound(view, link.protocol);
    }

    private <V extends SharedVariable> V bound(V view, Protocol declared) {
        MemorySegment memory = Arena.ofAuto().allocate(ViewBinder.spec(view).bytes(), Long.BYTES);
        ViewLink used = OverriddenLink.of(link, 2, "data", declared, link.protocol);
        ViewBinder.bind(view, "data", memory, null, used);
        return view;
    }

    @Test
    void prefetch_isOfBytes() {
        bound(LongArray.of(10)).prefetch(2, 5);
        bound(ByteArray.of(10)).prefetch(0, 10, Mode.WRITE);
        bound(
                        StructArray.of(
                                MemoryLayout.structLayout(
                                        ValueLayout.JAVA_LONG.withName("a"),
                                        ValueLayout.JAVA_LONG.withName("b")),
                                4))
                .prefetch(1, 2, Mode.READ);
        DoubleMatrix matrix = bound(DoubleMatrix.of(4, 3));
        matrix.prefetch(1, 3);
        matrix.prefetchRow(3);
        matrix.prefetchRow(0, Mode.WRITE);

        assertEquals(
                List.of(
                        "16 24 READ",
                        "0 10 WRITE",
                        "16 16 READ",
                        "24 48 READ",
                        "72 24 READ",
                        "0 24 WRITE"),
                link.asked);
    }

    @Test
    void emptyPrefetch_asksForNothing() {
        LongArray array = bound(LongArray.of(10));
        array.prefetch(0, 0);
        array.prefetch(10, 10, Mode.WRITE);

        assertEquals(List.of(), link.asked);
    }

    @Test
    void prefetchOutOfBounds_namesVariableAndRange() {
        LongArray array = bound(LongArray.of(10));
        DoubleMatrix matrix = bound(DoubleMatrix.of(4, 3));

        assertRefused(
                "elements 3 to 11 of variable data, whose length is 10",
                () -> array.prefetch(3, 11));
        assertRefused(
                "elements -1 to 2 of variable data, whose length is 10",
                () -> array.prefetch(-1, 2, Mode.WRITE));
        assertRefused(
                "elements 5 to 4 of variable data, whose length is 10", () -> array.prefetch(5, 4));
        assertRefused(
                "elements 0 to 9223372036854775807 of variable data, whose length is 10",
                () -> array.prefetch(0, Long.MAX_VALUE));
        assertRefused(
                "rows 4 to 5 of variable data, whose rows are 4 and columns 3",
                () -> matrix.prefetchRow(4));
        assertThrows(NullPointerException.class, () -> array.prefetch(0, 1, null));
        assertEquals(List.of(), link.asked);
    }

    @Test
    void advice_isOfBytes() {
        LongArray array = bound(LongArray.of(10));
        array.readers(2, 5).advise(Advice.FLUSH);
        array.readers(0, 10).clear();
        array.readers(1, 2).add(3);
        array.readers(1, 2).remove(3);
        array.readers(4, 4).advise(Advice.INVALIDATE);

        assertEquals(
                List.of(
                        "16 24 Coherence[advice=FLUSH]",
                        "0 80 ClearReaders[]",
                        "8 8 AddReader[node=3]",
                        "8 8 RemoveReader[node=3]"),
                link.asked);
        assertThrows(IllegalArgumentException.class, () -> array.readers(0, 1).add(-1));
        assertRefused(
                "elements 3 to 11 of variable data, whose length is 10",
                () -> array.readers(3, 11));
    }

    @Test
    void adviceOnAProtocolWithoutReaders_namesVariableAndProtocol() {
        LongArray array = bound(LongArray.of(10));
        link.protocol = Protocol.LAZY;

        IllegalStateException refused =
                assertThrows(
                        IllegalStateException.class,
                        () -> array.readers(0, 10).advise(Advice.FLUSH));

        assertEquals(
                "variable data follows LAZY, which pushes nothing to readers",
                refused.getMessage());
        assertEquals(List.of(), link.asked);
    }

    @Test
    void whatALockGuards_isOfBytes() {
        link.protocol = Protocol.MIGRATORY;
        bound(LongArray.of(10)).readers(2, 5).guardedBy("queue");
        bound(LongArray.of(10)).readers(3, 3).guardedBy("queue");

        assertEquals(List.of("16 24 GuardedBy[lock=queue]"), link.asked);
        assertRefused(
                "elements 3 to 11 of variable data, whose length is 10",
                () -> bound(LongArray.of(10)).readers(3, 11).guardedBy("queue"));
    }

    @Test
    void lockOfPagesThatDoNotTravel_namesVariableProtocolAndLock() {
        link.protocol = Protocol.WRITE_SHARED;
        LongArray array = bound(LongArray.of(10));

        assertEquals(
                "variable data follows WRITE_SHARED, whose pages do not travel with lock queue",
                assertThrows(
                                IllegalStateException.class,
                                () -> array.readers(0, 10).guardedBy("queue"))
                        .getMessage());
    }

    @Test
    void adviceThatAnOverrideDoesNotTake_isIgnored() {
        link.protocol = Protocol.LAZY;
        LongArray array = bound(LongArray.of(10), Protocol.MIGRATORY);

        array.readers(0, 10).guardedBy("queue");
        array.readers(0, 10).advise(Advice.FLUSH);

        assertEquals(List.of(), link.asked);
        assertRefused(
                "elements 3 to 11 of variable data, whose length is 10",
                () -> array.readers(3, 11).guardedBy("queue"));
    }

    @Test
    void adviceThatAnOverrideTakes_isGiven() {
        link.protocol = Protocol.HYBRID;
        bound(LongArray.of(10), Protocol.LAZY).readers(0, 10).add(2);

        assertEquals(List.of("0 80 AddReader[node=2]"), link.asked);
    }

    @Test
    void home_isOfTheFirstByte() {
        assertEquals(56, bound(LongArray.of(10)).home(7));
        assertEquals(48, bound(DoubleMatrix.of(4, 3)).home(2));
    }

    @Test
    void homeOutOfBounds_namesVariableAndElement() {
        LongArray array = bound(LongArray.of(10));

        assertRefused(
                "elements 10 to 11 of variable data, whose length is 10", () -> array.home(10));
        assertRefused(
                "elements -1 to 0 of variable data, whose length is 10", () -> array.home(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> array.home(Long.MAX_VALUE));
    }

    @Test
    void localView_isAtHomeAndHasNothingToPrefetch() {
        DoubleMatrix local = DoubleMatrix.local(4, 3);

        local.prefetchRow(2);
        assertEquals(0, local.home(3));
        assertThrows(IndexOutOfBoundsException.class, () -> local.home(4));
    }

    @Test
    void viewWithoutMemory_isRefusedByName() {
        LongArray array = LongArray.of(10);

        assertThrows(IllegalStateException.class, () -> array.prefetch(0, 1));
        assertThrows(IllegalStateException.class, () -> array.home(0));
    }

    private static void assertRefused(String text, Runnable call) {
        assertEquals(text, assertThrows(IndexOutOfBoundsException.class, call::run).getMessage());
    }
}
