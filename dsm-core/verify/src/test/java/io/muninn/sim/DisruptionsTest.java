package io.muninn.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.api.spi.RegionSpec;
import io.muninn.model.BarrierId;
import io.muninn.model.NodeId;
import io.muninn.model.PageId;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Effect;
import io.muninn.spi.Event;
import io.muninn.verify.program.Op;
import io.muninn.verify.program.Program;
import io.muninn.verify.program.ProgramRun;
import io.muninn.verify.program.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Disruptions of many seeds, with a program in which every node needs every other. */
class DisruptionsTest {
    private static final int NODES = 4;
    private static final int SEEDS = 300;
    private static final int ROUNDS = 10;

    /** Records the disruptions, and checks that messages are sent on kept connections only. */
    private static final class Witness implements Observer {
        private final int[][] kept = new int[NODES][NODES];
        private long sealedNanos;
        private int replaced;
        private int refused;
        private int waited;
        private int losses;
        private long lastTroubleNanos;

        @Override
        public void onInitialized(SimThread root) {
            sealedNanos = root.node().simulation().nowNanos();
        }

        @Override
        public void onAttempt(int dialler, int acceptor, int attempt, boolean isKept) {
            assertTrue(dialler > acceptor, "the lower node dials");
            if (isKept) {
                kept[dialler][acceptor] = attempt;
            } else if (kept[dialler][acceptor] == attempt) {
                replaced++;
            } else {
                refused++;
            }
        }

        @Override
        public void afterStep(SimNode node, Event event, List<Effect> effects) {
            Simulation simulation = node.simulation();
            if (event instanceof Event.MessageArrived(NodeId from, _, _) && from != node.id()) {
                Link link = simulation.link(from.index(), node.id().index());
                int high = Math.max(link.from(), link.to());
                int low = Math.min(link.from(), link.to());
                assertTrue(link.isConnected());
                assertEquals(kept[high][low], link.attempt());
            }
            if (event instanceof Event.PeerLost) {
                losses++;
            }
            for (int i = 0; i < NODES * NODES; i++) {
                Link link = simulation.link(i / NODES, i % NODES);
                waited += link.isConnected() ? 0 : link.frames().size();
                lastTroubleNanos = Math.max(lastTroubleNanos, link.notBeforeNanos());
            }
            lastTroubleNanos = Math.max(lastTroubleNanos, node.pausedUntilNanos());
        }
    }

    @Test
    void disruptions_areOfEveryKindAndEndWithTheHeal() {
        int replaced = 0;
        int refused = 0;
        int waited = 0;
        int disturbed = 0;
        int deaths = 0;
        int completed = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed * 0x9E3779B97F4A7C15L);
            RandomDelays delays = new RandomDelays(random, random, NODES);
            Disruptions disruptions = new Disruptions(random, delays, true);
            Witness witness = new Witness();

            ProgramRun.Result result =
                    ProgramRun.run(
                            everybodyWritesAllPages(delays.wakeNanosMax()),
                            delays,
                            disruptions,
                            List.of(witness));

            assertTrue(witness.lastTroubleNanos <= witness.sealedNanos + disruptions.healNanos());
            replaced += witness.replaced;
            refused += witness.refused;
            waited += witness.waited > 0 ? 1 : 0;
            disturbed += witness.lastTroubleNanos > 0 ? 1 : 0;
            deaths += witness.losses > 0 ? 1 : 0;
            completed += result.completed() ? 1 : 0;
        }

        assertTrue(replaced > 0, "no attempt was replaced");
        assertTrue(refused > 0, "no attempt was refused");
        assertTrue(waited > 0, "no message waited for a connection");
        assertTrue(disturbed > SEEDS / 4, "disturbed: " + disturbed);
        assertTrue(deaths > 0 && deaths < SEEDS / 4, "deaths: " + deaths);
        assertTrue(completed > SEEDS / 2, "completed: " + completed);
    }

    private static Program everybodyWritesAllPages(long holdNanos) {
        List<RegionSpec> regions = new ArrayList<>();
        List<Protocol> protocols = List.of(Protocol.CONVENTIONAL, Protocol.WRITE_SHARED);
        for (Protocol protocol : protocols) {
            regions.add(
                    new RegionSpec(
                            regions.size(),
                            "region" + protocol,
                            protocol,
                            0,
                            4096,
                            8,
                            1,
                            List.of()));
        }
        List<List<Program.Step>> scripts = new ArrayList<>();
        for (int thread = 0; thread < NODES; thread++) {
            List<Program.Step> steps = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                for (RegionSpec region : regions) {
                    PageId page = new PageId(region.index(), 0);
                    Variable own = new Variable(page, 8 * thread, 8);
                    steps.add(new Program.Step(0, new Op.Store(own, 1 + round)));
                }
                Op end = new Op.Await(new BarrierId("round"), Event.ALL_PARTIES);
                steps.add(new Program.Step(0, end));
            }
            scripts.add(steps);
        }
        return new Program(NODES, 1, holdNanos, regions, List.of(), scripts);
    }
}
