package io.muninn.lasting;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LastingLinkTest {
    private static final long BOUND = 1_000;

    private final List<String> discarded = new ArrayList<>();
    private final LastingLink<String> dialling = end(true);
    private final LastingLink<String> listening = end(false);

    private LastingLink<String> end(boolean dials) {
        return new LastingLink<>(dials, 0, 0, BOUND, discarded::add);
    }

    private static List<String> contents(List<SentFrames.Unit<String>> units) {
        return units.stream().map(SentFrames.Unit::content).toList();
    }

    private void keep(String... contents) {
        for (String content : contents) {
            assertTrue(dialling.keep(1, 10, content));
        }
    }

    private static void assertEnds(String expected, Runnable wrong) {
        assertEquals(expected, assertThrows(FrameNumberException.class, wrong::run).getMessage());
    }

    // --- send and acknowledge ------------------------------------------------------------------

    @Test
    void frame_isKeptUntilItIsAcknowledged() {
        keep("a", "b", "c");
        assertEquals(3, dialling.nextSent());
        assertEquals(30, dialling.keptBytes());

        assertTrue(dialling.arrived(0, 0, 2, 1));

        assertEquals(List.of("a", "b"), discarded);
        assertEquals(10, dialling.keptBytes());
        assertFalse(dialling.isDrained());
        assertTrue(dialling.arrived(0, 1, 3, 1));
        assertTrue(dialling.isDrained());
    }

    @Test
    void lateAcknowledgement_meansNothing() {
        keep("a", "b");
        dialling.arrived(0, 0, 2, 1);

        assertTrue(dialling.arrived(0, 1, 1, 1));

        assertEquals(List.of("a", "b"), discarded);
    }

    @Test
    void acknowledgementBehindALostFrame_endsTheLink() {
        listening.acknowledged(0, 0, 0);
        assertTrue(listening.arrived(0, 0, 0, 1));
        listening.acknowledged(0, 1, 0);

        assertEnds("left out frames 1 to 2", () -> listening.acknowledged(0, 3, 0));
        listening.acknowledged(7, 9, 0); // of another connection
    }

    @Test
    void acknowledgementOfWhatWasNotSent_endsTheLink() {
        keep("a", "b");

        assertEnds("acknowledged frame 2, but 2 is next", () -> dialling.arrived(0, 0, 3, 1));
    }

    @Test
    void framesSentTogether_areKeptUntilAllAreAcknowledged() {
        dialling.keep(3, 30, "abc");

        dialling.arrived(0, 0, 2, 1);

        assertEquals(List.of(), discarded);
        dialling.cut(0);
        assertEquals(List.of("abc"), contents(dialling.resume(dialling.dial(), 2)));
    }

    @Test
    void moreThanTheBound_endsTheLink() {
        assertTrue(dialling.keep(1, BOUND, "all"));

        assertFalse(dialling.keep(1, 1, "one too many"));

        dialling.end();
        assertEquals(List.of("all", "one too many"), discarded);
    }

    @Test
    void numbers_goOnBehindTheLargest() {
        LastingLink<String> old = new LastingLink<>(true, -2, -2, BOUND, discarded::add);
        for (int i = 0; i < 4; i++) {
            old.keep(1, 1, "frame " + i);
            assertTrue(old.arrived(0, i - 2, i - 1, 1));
        }
        assertEquals(2, old.nextSent());
        assertEquals(2, old.nextReceived());
        assertTrue(old.isDrained());
        assertEnds("left out frame 2", () -> old.arrived(0, 3, 0, 1));
    }

    // --- receive -------------------------------------------------------------------------------

    @Test
    void gapOnAConnection_endsTheLink() {
        assertTrue(listening.arrived(0, 0, 0, 1));

        assertEnds("left out frame 1", () -> listening.arrived(0, 2, 0, 1));
        assertEnds("left out frames 1 to 4", () -> listening.arrived(0, 5, 0, 1));
    }

    @Test
    void repetitionOnAConnection_endsTheLink() {
        listening.arrived(0, 0, 0, 1);

        assertEnds("repeated frame 0 where 1 was due", () -> listening.arrived(0, 0, 0, 1));
    }

    @Test
    void whoReceivesMuch_owesAnAcknowledgement() {
        for (int i = 0; i < ReceivedFrames.UNTOLD_FRAMES_MAX - 1; i++) {
            listening.arrived(0, i, 0, 1);
            assertFalse(listening.owesAcknowledgement());
        }
        listening.arrived(0, ReceivedFrames.UNTOLD_FRAMES_MAX - 1, 0, 1);
        assertTrue(listening.owesAcknowledgement());
        assertEquals(ReceivedFrames.UNTOLD_FRAMES_MAX, listening.acknowledge());
        assertFalse(listening.owesAcknowledgement());

        listening.arrived(0, ReceivedFrames.UNTOLD_FRAMES_MAX, 0, ReceivedFrames.UNTOLD_BYTES_MAX);
        assertTrue(listening.owesAcknowledgement());
    }

    // --- cut and resume ------------------------------------------------------------------------

    @Test
    void cut_isOfTheConnectionInUseAlone() {
        assertTrue(dialling.cut(0));
        assertFalse(dialling.isUp());
        assertFalse(dialling.cut(0));

        dialling.resume(dialling.dial(), 0);

        assertFalse(dialling.cut(0)); // the end of the old connection is noticed late
        assertTrue(dialling.isUp());
    }

    @Test
    void resume_sendsWhatTheOtherLacksAndGoesOn() {
        keep("a", "b", "c");
        listening.arrived(0, 0, 0, 1);
        listening.arrived(0, 1, 0, 1);
        dialling.cut(0);
        listening.cut(0);
        keep("d");

        int attempt = dialling.dial();
        assertEquals(List.of(), listening.resume(attempt, dialling.nextReceived()));
        List<String> again = contents(dialling.resume(attempt, listening.nextReceived()));

        assertEquals(List.of("c", "d"), again);
        assertEquals(List.of("a", "b"), discarded);
        assertTrue(listening.arrived(attempt, 2, 0, 1));
        assertTrue(listening.arrived(attempt, 3, 0, 1));
    }

    @Test
    void framesOfAnOlderConnectionThatAreRepeated_areDropped() {
        for (int i = 0; i < 3; i++) {
            listening.arrived(0, i, 0, 1);
        }
        listening.resume(1, 0);

        assertFalse(listening.arrived(1, 1, 0, 1));
        assertEnds("repeated frame 1 where 2 was due", () -> listening.arrived(1, 1, 0, 1));
        assertFalse(listening.arrived(1, 2, 0, 1));
        assertTrue(listening.arrived(1, 3, 0, 1));
        assertEnds("repeated frame 0 where 4 was due", () -> listening.arrived(1, 0, 0, 1));
    }

    @Test
    void gapBehindAResume_endsTheLink() {
        listening.arrived(0, 0, 0, 1);
        listening.resume(1, 0);

        assertEnds("left out frame 1", () -> listening.arrived(1, 2, 0, 1));
    }

    @Test
    void resumeAtAFrameThatIsDiscarded_endsTheLink() {
        keep("a", "b");
        dialling.arrived(0, 0, 2, 1);
        int attempt = dialling.dial();

        assertEnds(
                "asked for frame 1, but has acknowledged all before 2",
                () -> dialling.resume(attempt, 1));
    }

    @Test
    void resumeAtAFrameThatWasNeverSent_endsTheLink() {
        keep("a");
        int attempt = dialling.dial();

        assertEnds("acknowledged frame 1, but 1 is next", () -> dialling.resume(attempt, 2));
    }

    @Test
    void frameOfTheOldConnectionBehindTheNewOne_isDropped() {
        listening.arrived(0, 0, 0, 1);
        listening.resume(1, 0);

        assertFalse(listening.arrived(0, 1, 0, 1));
        assertTrue(listening.arrived(1, 1, 0, 1));
        assertFalse(listening.arrived(0, 2, 0, 1));
        assertTrue(listening.arrived(1, 2, 0, 1));
    }

    @Test
    void acknowledgementOfTheOldConnectionBehindTheNewOne_isDropped() {
        LastingLink<String> one = end(false);
        one.keep(1, 10, "a");
        one.resume(1, 0);

        one.arrived(0, 0, 1, 1);

        assertFalse(one.isDrained());
    }

    @Test
    void frameAfterTheDiallingSideHasAsked_isDropped() {
        int attempt = dialling.dial();

        assertFalse(dialling.arrived(0, 0, 0, 1)); // it has said that 0 is due
        dialling.resume(attempt, 0);
        assertTrue(dialling.arrived(attempt, 0, 0, 1));
    }

    @Test
    void resumeOfAnAttemptThatWasGivenUp_isTurnedAwayAndHarmsNothing() {
        int first = dialling.dial();
        int second = dialling.dial();
        listening.resume(second, 0);

        assertFalse(listening.awaits(first));
        assertThrows(IllegalArgumentException.class, () -> listening.resume(first, 0));
        assertTrue(listening.isUp());
        assertEquals(second, listening.connection());
    }

    @Test
    void resumeThatComesTwice_isTurnedAwayAlsoBehindACut() {
        listening.resume(1, 0);
        assertFalse(listening.awaits(1));

        listening.cut(1);

        assertFalse(listening.awaits(1));
        assertTrue(listening.awaits(2));
    }

    /** The answer to the first attempt and the second attempt cross. */
    @Test
    void twoResumesThatCross_endOnTheSecond() {
        keep("a");
        int first = dialling.dial();
        listening.resume(first, 0);
        int second = dialling.dial();

        assertFalse(dialling.awaits(first));
        assertThrows(IllegalArgumentException.class, () -> dialling.resume(first, 0));
        listening.keep(1, 10, "for the first");
        assertEquals(List.of("for the first"), contents(listening.resume(second, 0)));
        assertEquals(List.of("a"), contents(dialling.resume(second, 0)));

        assertTrue(dialling.arrived(second, 0, 0, 1));
        assertTrue(listening.arrived(second, 0, 0, 1));
        assertFalse(dialling.cut(first));
        assertFalse(listening.cut(first));
    }

    // --- all together --------------------------------------------------------------------------

    /** What is in flight in one direction of one connection. */
    private record Flight(int number, int acknowledged, String content) {}

    /** One side of a random link, and what it has sent on the connection in use. */
    private static final class Side {
        final LastingLink<String> link;
        final Queue<Flight> flying = new ArrayDeque<>();
        final List<String> delivered = new ArrayList<>();
        int sent;

        Side(boolean dials, Consumer<String> discard) {
            link = new LastingLink<>(dials, 0, 0, Long.MAX_VALUE, discard);
        }

        void say(String content) {
            int number = link.nextSent();
            link.keep(1, 1, content);
            sent++;
            if (link.isUp()) {
                flying.add(new Flight(number, link.acknowledge(), content));
            }
        }

        void hear(Flight flight, int connection) {
            if (link.arrived(connection, flight.number, flight.acknowledged, 1)) {
                delivered.add(flight.content);
            }
        }

        void resume(int connection, int from) {
            flying.clear();
            for (SentFrames.Unit<String> unit : link.resume(connection, from)) {
                flying.add(new Flight(unit.first(), link.acknowledge(), unit.content()));
            }
        }
    }

    /** Random cuts, attempts that are given up, and answers that are lost. */
    @Test
    void randomCuts_loseRepeatAndReorderNothing() {
        for (long seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            Side one = new Side(true, _ -> {});
            Side other = new Side(false, _ -> {});
            for (int step = 0; step < 200; step++) {
                step(one, other, random);
            }
            int last = one.link.dial();
            other.resume(last, one.link.nextReceived());
            one.resume(last, other.link.nextReceived());
            fly(one, other, Integer.MAX_VALUE);
            fly(other, one, Integer.MAX_VALUE);
            assertEquals(expected(one.sent), other.delivered, "seed " + seed);
            assertEquals(expected(other.sent), one.delivered, "seed " + seed);
        }
    }

    private static void step(Side one, Side other, Random random) {
        switch (random.nextInt(8)) {
            case 0, 1 -> one.say("frame " + one.sent);
            case 2, 3 -> other.say("frame " + other.sent);
            case 4 -> fly(one, other, random.nextInt(4));
            case 5 -> fly(other, one, random.nextInt(4));
            case 6 -> {
                Side noticing = random.nextBoolean() ? one : other;
                noticing.link.cut(noticing.link.connection());
            }
            default -> {
                int attempt = one.link.dial();
                int received = one.link.nextReceived();
                if (random.nextInt(3) > 0) {
                    other.resume(attempt, received);
                    int answer = other.link.nextReceived();
                    if (random.nextInt(3) > 0) {
                        one.resume(attempt, answer);
                    }
                }
            }
        }
    }

    private static void fly(Side from, Side to, int most) {
        for (int i = 0; i < most && !from.flying.isEmpty(); i++) {
            to.hear(from.flying.remove(), from.link.connection());
        }
    }

    private static List<String> expected(int frames) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            all.add("frame " + i);
        }
        return all;
    }
}
