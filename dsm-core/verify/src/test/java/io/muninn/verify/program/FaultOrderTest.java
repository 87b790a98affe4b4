package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.model.FaultKind;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.SimThread;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The agent also receives a fault that another thread's fault has resolved, and soon. */
class FaultOrderTest {
    private static final int SEEDS = Seeds.some(60);

    /** Pending faults by thread, in runs in which faults name their threads. */
    private static final class Unheard implements Observer {
        final Map<Integer, Integer> faults = new TreeMap<>(); // by position
        private boolean areNamed = true;
        int early; // faults that are pending when their page can be used

        @Override
        public void onFault(SimThread thread, PageId page, FaultKind kind) {
            faults.merge(thread.position(), 1, Integer::sum);
        }

        @Override
        public void beforeStep(SimNode node, Event event) {
            if (event instanceof Event.FaultRaised raised) {
                areNamed &= raised.thread().thread() >= 0;
            }
            if (!areNamed) {
                return;
            }
            if (event instanceof Event.FaultRaised raised) {
                SimThread thread = node.thread(raised.thread().thread());
                faults.merge(thread.position(), -1, Integer::sum);
            } else if (event instanceof Event.BarrierReached reached) {
                SimThread thread = node.thread(reached.waiter().thread());
                assertEquals(0, faults.getOrDefault(thread.position(), 0), thread.toString());
            }
        }

        @Override
        public void onStepped(SimNode node, Event event, List<Effect> effects) {
            for (SimThread thread : areNamed ? node.threads() : List.<SimThread>of()) {
                boolean isUnheard = faults.getOrDefault(thread.position(), 0) > 0;
                early += isUnheard && thread.stoppedAt().isEmpty() ? 1 : 0;
            }
        }
    }

    @Test
    void agents_hearOfAFaultBeforeWhatItsThreadDoesNext() {
        int early = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            SeededRun run = SeededRun.of(seed, SeededRun.Options.ALL);
            Unheard unheard = new Unheard();
            run.run(List.of(unheard));
            early += unheard.early;
        }

        assertTrue(early > 0, "no thread goes on before its agent has heard of its fault");
    }
}
