package io.muninn.sim.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.wire.WireMessage;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Home-based pages that are at their homes when the threads begin. */
class PlacedPagesTest {
    private static final int LENGTH = 8 << 10; // 16 pages
    private static final double INITIAL = 7;

    /** Every node doubles its band. */
    public static final class Bands implements DsmProgram {
        @Shared(Protocol.HOME_BASED)
        private final DoubleArray bands = DoubleArray.of(LENGTH);

        @Override
        public void initialize(DsmNode root) {
            for (int i = 0; i < LENGTH; i++) {
                bands.set(i, INITIAL);
            }
        }

        @Override
        public void run(DsmNode node) throws InterruptedException {
            int from = LENGTH * node.id() / node.nodes();
            int to = LENGTH * (node.id() + 1) / node.nodes();
            for (int i = from; i < to; i++) {
                bands.set(i, 2 * bands.get(i));
            }
            node.barrier("doubled").await();
        }

        @Override
        public Verdict verify(DsmNode root) {
            for (int i = 0; i < LENGTH; i++) {
                if (bands.get(i) != 2 * INITIAL) {
                    return Verdict.wrong("element " + i + " is " + bands.get(i));
                }
            }
            return Verdict.right("bands");
        }
    }

    /** Bytes of messages before all pages are placed, and between then and the barrier. */
    private static final class Sent implements Observer {
        private long before;
        private long after;
        private boolean isPlaced;
        private boolean isOver;

        @Override
        public void onMessage(SimNode from, NodeId to, WireMessage message, int bytes) {
            before += isPlaced ? 0 : bytes;
            after += isPlaced && !isOver ? bytes : 0;
        }

        @Override
        public void onDepart(SimThread thread, BarrierId barrier) {
            isPlaced |= barrier.equals(AppRun.PLACED);
            isOver |= barrier.name().equals("doubled");
        }
    }

    /** The pages of other homes leave the root. */
    @ParameterizedTest
    @CsvSource({"4, 1", "2, 2"})
    void pagesAreAtTheirHomes_beforeTheThreadsRun(int nodes, int processes) {
        Sent sent = new Sent();
        AppResult result =
                AppRun.of(Bands::new, nodes)
                        .processes(processes)
                        .placesPages()
                        .observers(List.of(sent))
                        .run();

        assertTrue(result.isGood(), () -> result.verdict().detail());
        int pageBytes = 4096;
        int elsewhere = LENGTH * Double.BYTES * (nodes - 1) / nodes;
        assertTrue(sent.before >= elsewhere, () -> sent.before + " bytes before");
        assertEquals(0, sent.after / pageBytes, () -> sent.after + " bytes after");
    }
}
