package io.muninn.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.NodeId;
import io.muninn.model.NodeThreads;
import io.muninn.spi.Event;
import io.muninn.waits.Awaited.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The questions of the root, and what it makes of answers that come late or differ. */
class WaitCollectorTest implements WaitCollector.Actions {
    private static final String PAUSE = "arm " + WaitCollector.PAUSE_NANOS;
    private static final String REST = "arm " + WaitCollector.REST_NANOS;

    private final WaitCollector collector =
            new WaitCollector(2, 3 * WaitCollector.REST_NANOS, this);
    private final List<String> done = new ArrayList<>();

    @Override
    public void ask(int number, boolean withLines) {
        done.add("ask " + number + (withLines ? " with lines" : ""));
    }

    @Override
    public void arm(long delayNanos) {
        done.add("arm " + delayNanos);
    }

    @Override
    public void endRun(String text) {
        done.add("end: " + text);
    }

    @Override
    public void endOfLoss(String text) {
        done.add("loss: " + text);
    }

    @Override
    public void tell(List<String> lines) {
        done.add("tell " + lines.size());
    }

    @Override
    public void warn(String text) {
        done.add("warn: " + text);
    }

    private void assertDone(String... expected) {
        assertEquals(List.of(expected), done);
        done.clear();
    }

    /** A node whose only thread waits for a lock and holds another. */
    private static NodeWaits waits(int node, long number, String strangers) {
        Awaited wait = new Awaited(Kind.LOCK, node == 0 ? "b" : "a", 0, 0, false);
        Hold hold = new Hold(Hold.Mode.LOCK, node == 0 ? "a" : "b");
        return node(
                node,
                0,
                List.of(new ThreadWait(0, number, wait, List.of(hold), "P.run(P.java:7)")),
                strangers);
    }

    private static NodeWaits runs(int node) {
        return node(node, 1, List.of(), "");
    }

    private static NodeWaits node(int node, int running, List<ThreadWait> waits, String strangers) {
        return new NodeWaits(
                NodeId.of(node),
                new NodeThreads(1, 1),
                running,
                0,
                0,
                true,
                waits,
                strangers.isEmpty() ? List.of() : List.of(strangers));
    }

    private void answer(int number, NodeWaits... answers) {
        for (NodeWaits each : answers) {
            collector.onAnswer(number, each);
        }
    }

    @Test
    void waitsThatLast_endTheRunAfterThreeQuestions() {
        collector.onLasting();
        assertDone("ask 1");
        answer(1, waits(0, 1, ""), waits(1, 1, ""));
        assertDone(PAUSE);
        collector.onTime();
        assertDone("ask 2");
        answer(2, waits(1, 1, ""), waits(0, 1, ""));
        assertDone("ask 3 with lines");
        answer(3, waits(0, 1, ""), waits(1, 1, ""));

        assertEquals(1, done.size());
        assertTrue(done.getFirst().startsWith("end: "), done::toString);
        assertTrue(done.getFirst().contains("; at P.run(P.java:7)"), done::toString);
        collector.onLasting();
        assertEquals(1, done.size());
    }

    @Test
    void waitThatEndsBetweenTheQuestions_isNoReason() {
        collector.onLasting();
        answer(1, waits(0, 1, ""), waits(1, 1, ""));
        collector.onTime();
        answer(2, waits(0, 1, ""), waits(1, 2, ""));

        assertDone("ask 1", PAUSE, "ask 2", REST);
    }

    @Test
    void waitThatEndsBeforeTheLines_isNoReason() {
        collector.onLasting();
        answer(1, waits(0, 1, ""), waits(1, 1, ""));
        collector.onTime();
        answer(2, waits(0, 1, ""), waits(1, 1, ""));
        answer(3, waits(0, 1, ""), runs(1));

        assertDone("ask 1", PAUSE, "ask 2", "ask 3 with lines", REST);
    }

    @Test
    void afterARest_itAsksAgain() {
        collector.onLasting();
        answer(1, runs(0), runs(1));
        assertDone("ask 1", REST);
        collector.onLasting();
        assertDone();
        collector.onTime();
        assertDone();
        collector.onLasting();
        assertDone("ask 2");
    }

    @Test
    void answersToAnEarlierQuestion_areIgnored() {
        collector.onLasting();
        answer(1, runs(0), runs(1));
        collector.onTime();
        collector.onLasting();
        answer(1, waits(0, 1, ""), waits(1, 1, ""));
        assertDone("ask 1", REST, "ask 2");
        answer(2, runs(0), runs(1));
        assertDone(REST);
    }

    @Test
    void answerOfOneNodeTwice_isNotThatOfBoth() {
        collector.onLasting();
        answer(1, waits(0, 1, ""), waits(0, 1, ""));

        assertDone("ask 1");
    }

    @Test
    void threadsThatNobodyKnows_areAReasonToWarnOnce() {
        for (int time = 0; time < 2; time++) {
            int first = 3 * time + 1;
            collector.onLasting();
            answer(first, waits(0, 1, ""), waits(1, 1, ""));
            collector.onTime();
            answer(first + 1, waits(0, 1, ""), waits(1, 1, ""));
            answer(first + 2, waits(0, 1, "watchdog"), waits(1, 1, ""));
            collector.onTime();
        }

        List<String> warnings = done.stream().filter(each -> each.startsWith("warn")).toList();
        assertEquals(1, warnings.size());
        assertTrue(
                warnings.getFirst().endsWith("may interrupt them: watchdog"), warnings::toString);
        assertTrue(done.stream().noneMatch(each -> each.startsWith("end")), done::toString);
    }

    @Test
    void description_isBesideTheSearch() {
        collector.onLasting();
        collector.describe();
        collector.describe();
        assertDone("ask 1", "ask -1 with lines");
        answer(-1, waits(0, 1, ""));
        answer(1, waits(0, 1, ""), waits(1, 1, ""));
        assertDone(PAUSE);
        answer(-1, waits(1, 1, ""));
        assertDone("tell 2");
        collector.describe();
        answer(-1, waits(0, 1, ""), waits(1, 1, ""));
        assertDone("ask -2 with lines");
    }

    @Test
    void barrierBesideAThreadThatRuns_isNoReason() {
        Awaited barrier = new Awaited(Kind.BARRIER, "p", Event.ALL_PARTIES, 0, false);
        collector.onLasting();
        answer(1, node(0, 0, List.of(new ThreadWait(0, 1, barrier, List.of(), "")), ""), runs(1));

        assertDone("ask 1", REST);
    }

    /** A node whose thread waits for a lock that nobody holds. */
    private static NodeWaits counts(int node, long sent, long received) {
        Awaited wait = new Awaited(Kind.LOCK, "a", 0, 0, false);
        List<ThreadWait> waits = List.of(new ThreadWait(0, 1, wait, List.of(), ""));
        return new NodeWaits(
                NodeId.of(node),
                new NodeThreads(1, 1),
                0,
                sent,
                received,
                true,
                node == 1 ? waits : List.of(),
                List.of());
    }

    private void round(int number, int received) {
        collector.onLasting();
        assertDone("ask " + number);
        answer(number, counts(0, 5, received), counts(1, 3, 4));
    }

    private void rest() {
        assertDone(REST);
        collector.onTime();
    }

    @Test
    void messageThatDoesNotArrive_endsTheRun() {
        for (int i = 1; i <= 4; i++) {
            round(i, 3);
            rest();
        }
        round(5, 3);

        assertEquals(
                List.of(
                        "loss: of 8 messages, 7 have arrived, and none for more than 3000 ms, while"
                                + " all nodes send heartbeats: a message was lost or forged on its way."
                                + " Meanwhile:\n"
                                + "  thread 0 of node 1 waits for lock 'a'"),
                done);
    }

    /** As long as something moves, more may be on its way; and so it is if all has arrived. */
    @Test
    void messagesThatArrive_orHaveArrived_areNotMissing() {
        for (int i = 1; i <= 12; i++) {
            round(i, i % 4);
            rest();
        }
        for (int i = 13; i <= 20; i++) {
            round(i, 4);
            rest();
        }
    }
}
