package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.ByteArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.sim.delay.Delays;
import io.muninn.sim.delay.MachineModel;
import io.muninn.sim.delay.SharedWire;
import io.muninn.spi.UpdateRules;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workstations: one wire for all, and one processor for agent and application. */
@Timeout(60)
class StationsTest {
    private static final long MILLI = 1_000_000;
    private static final int PAGE = 4096;
    private static final int PAGES = 16;

    /** A byte takes a microsecond, a packet or a message half a millisecond on either side. */
    private static final MachineModel MODEL =
            new MachineModel(
                    1000, 1_000_000, MILLI / 4, 1000, 0, 1000, 1000, 1000, 1_000_000_000, 1);

    private static final SharedWire WIRE = new SharedWire(1024, 10, MILLI / 4);

    /** Some pages that the root fills, and the code of every node. */
    private static final class Reading implements DsmProgram {
        @Shared(Protocol.WRITE_SHARED)
        private final ByteArray bytes = ByteArray.of(PAGES * PAGE);

        private final Consumer<Step> step;

        private record Step(DsmNode node, ByteArray bytes) {}

        Reading(Consumer<Step> step) {
            this.step = step;
        }

        @Override
        public void initialize(DsmNode root) {
            for (int i = 0; i < bytes.length(); i++) {
                bytes.set(i, (byte) 1);
            }
        }

        @Override
        public void run(DsmNode node) {
            step.accept(new Step(node, bytes));
        }

        @Override
        public Verdict verify(DsmNode root) {
            return Verdict.right("run");
        }
    }

    private static AppResult run(int nodes, Delays delays, Consumer<Reading.Step> step) {
        AppResult result =
                AppRun.of(() -> new Reading(step), nodes)
                        .model(MODEL)
                        .delays(delays)
                        .holdNanos(0)
                        .updates(UpdateRules.PLAIN)
                        .run();
        assertTrue(result.isGood(), result::toString);
        return result;
    }

    /** Every node except the root reads pages of its own. */
    private static void readMine(Reading.Step step) {
        DsmNode node = step.node();
        if (node.isRoot()) {
            return;
        }
        int each = PAGES / (node.nodes() - 1);
        for (int page = 0; page < each; page++) {
            step.bytes().get(((node.id() - 1) * each + page) * PAGE);
        }
    }

    @Test
    void pagesForSeveralNodes_travelOneAfterAnother() {
        double oneWire = run(5, Delays.stations(MODEL, WIRE), StationsTest::readMine).seconds();
        double links = run(5, Delays.exact(MODEL), StationsTest::readMine).seconds();

        double wireSeconds = PAGES * PAGE * 1e-6;
        assertTrue(oneWire > wireSeconds, () -> oneWire + " s");
        assertTrue(links < wireSeconds / 2, () -> links + " s");
    }

    @Test
    void agentsWork_delaysTheThreadOfItsNode() {
        Consumer<Reading.Step> step =
                each -> {
                    if (each.node().isRoot()) {
                        each.node().work(500); // as many milliseconds
                    } else {
                        readMine(each);
                    }
                };
        double shared = run(2, Delays.stations(MODEL, WIRE), step).seconds();
        double apart = run(2, Delays.exact(MODEL), step).seconds();

        assertEquals(0.5, apart, 0.01);
        double service = PAGES * 7 * 0.25e-3; // a message each way, packets 1 and 5
        assertTrue(shared > 0.5 + service, () -> shared + " s");
        assertTrue(shared < 0.5 + 2 * service, () -> shared + " s");
    }

    @Test
    void theSameRun_hasTheSameTraceHash() {
        Delays delays = Delays.stations(MODEL, WIRE);

        assertEquals(
                run(3, delays, StationsTest::readMine).traceHash(),
                run(3, delays, StationsTest::readMine).traceHash());
    }

    @Test
    void messagesAreCutIntoPackets() {
        assertEquals(1, WIRE.packets(0));
        assertEquals(1, WIRE.packets(1024));
        assertEquals(2, WIRE.packets(1025));
        assertEquals(1025 + 2 * 10, Delays.stations(MODEL, WIRE).transfer(1025) / 1000);
    }
}
