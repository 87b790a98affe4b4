package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.sim.machine.Clock;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.sim.machine.SmpMachine;
import io.muninn.sim.machine.SmpModel;
import io.muninn.spi.NodeCounter;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The model {@code smp-1998} beside section 5 of Bilas, Iftode, Samanta and Singh. What the paper
 * does not give was fitted on these numbers; each is printed and must be within a tenth.
 */
class SmpCalibrationTest {
    private static final SmpModel MODEL = SmpModel.named("smp-1998");
    private static final double CYCLES_PER_SECOND = 200e6;
    private static final double TOLERANCE = 0.1;
    private static final int PAGE_BYTES = 4096;
    private static final int PAGES = 64;
    private static final int STRIDE = 29; // prime to PAGES: no page follows the one before
    private static final int LOCKS = 64;
    private static final long REST = 50_000;

    /** Node 1 loads a word of each page, whose home is node 0, if it is to. */
    private static final class Fetches implements DsmProgram {
        @Shared(value = Protocol.HOME_BASED, home = Home.ROOT)
        private final LongArray pages = LongArray.of(PAGES * PAGE_BYTES / Long.BYTES);

        private final boolean loads;

        Fetches(boolean loads) {
            this.loads = loads;
        }

        @Override
        public void initialize(DsmNode root) {
            for (int i = 0; i < pages.length(); i++) {
                pages.set(i, i + 1);
            }
        }

        @Override
        public void run(DsmNode node) {
            node.barrier("begin").await();
            for (int i = 0; loads && node.id() == 1 && i < PAGES; i++) {
                pages.get(i * STRIDE % PAGES * (PAGE_BYTES / Long.BYTES));
            }
            node.barrier("end").await();
        }
    }

    /** Two nodes take turns in acquiring a lock, if they are to, with a barrier after each turn. */
    private record Turns(boolean locks) implements DsmProgram {
        @Override
        public void run(DsmNode node) {
            DsmLock lock = node.lock("turn");
            for (int i = 0; i < LOCKS; i++) {
                if (locks && i % node.nodes() == node.id()) {
                    node.work(REST); // until messages of the barrier have been handled
                    lock.lock();
                    lock.unlock();
                }
                node.barrier("turn").await();
            }
        }
    }

    /** Time of single messages between two idle nodes. */
    private static final class Agenda implements Clock {
        private record Action(long picos, long number, Runnable run) {}

        private final PriorityQueue<Action> actions =
                new PriorityQueue<>((one, other) ->
                        one.picos() == other.picos()
                                ? Long.compare(one.number(), other.number())
                                : Long.compare(one.picos(), other.picos()));
        private long nowPicos;
        private long number;
        private long arrivedPicos;

        @Override
        public long nowPicos() {
            return nowPicos;
        }

        @Override
        public void at(long timePicos, Runnable action) {
            actions.add(new Action(timePicos, number++, action));
        }

        /** The time in seconds from the call until a message has arrived. */
        static double secondsOf(int bytes) {
            Agenda agenda = new Agenda();
            SmpMachine machine =
                    new SmpMachine(MODEL, HandlerPolicy.STATIC, false, 2, 1, 0, agenda);
            agenda.at(
                    machine.sendPicos(0),
                    () -> machine.send(0, 1, bytes, () -> agenda.arrivedPicos = agenda.nowPicos));
            while (!agenda.actions.isEmpty()) {
                Action next = agenda.actions.remove();
                agenda.nowPicos = next.picos();
                next.run().run();
            }
            return agenda.arrivedPicos / 1e12;
        }
    }

    private static AppResult run(Supplier<DsmProgram> program, int nodes, int processes) {
        AppResult result =
                AppRun.of(program, nodes)
                        .processes(processes)
                        .protocol(Protocol.HOME_BASED)
                        .machine(MODEL, HandlerPolicy.STATIC, 1)
                        .run();
        assertTrue(result.isGood(), result::toString);
        return result;
    }

    private static void check(String what, String unit, double paper, double here) {
        System.out.printf(
                Locale.ROOT, "smp-1998: %s: %.1f %s, paper %.1f%n", what, here, unit, paper);
        assertEquals(paper, here, TOLERANCE * paper, what);
    }

    @Test
    void page_isFetchedInFifteenThousandCycles() {
        double with = run(() -> new Fetches(true), 2, 1).seconds();
        double without = run(() -> new Fetches(false), 2, 1).seconds();

        check("fetch of a page", "cycles", 15_000, (with - without) * CYCLES_PER_SECOND / PAGES);
    }

    @Test
    void lockOfAnotherNode_isAcquiredIn5800Cycles() {
        AppResult result = run(() -> new Turns(true), 2, 1);

        double seconds = result.total(NodeCounter.LOCK_NANOS) / 1e9;
        check("remote lock", "cycles", 5_800, seconds * CYCLES_PER_SECOND / (LOCKS - 1));
    }

    @Test
    void lockOfAnotherProcessOfTheNode_isAcquiredIn2100Cycles() {
        double with = run(() -> new Turns(true), 1, 2).seconds();
        double without = run(() -> new Turns(false), 1, 2).seconds();

        double cycles = (with - without) * CYCLES_PER_SECOND / LOCKS - REST;
        check("local lock", "cycles", 2_100, cycles);
    }

    @Test
    void word_takesTenMicrosecondsOneWay() {
        check("a word one way", "us", 10, Agenda.secondsOf(Integer.BYTES) * 1e6);
    }

    @Test
    void page_takesTheBandwidthOfThePaperOneWay() {
        double bytesPerSecond = PAGE_BYTES / Agenda.secondsOf(PAGE_BYTES);

        check("bandwidth of a page", "MB/s", 72.5, bytesPerSecond / 1e6);
    }
}
