package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.Seeds;
import io.muninn.model.PageId;
import io.muninn.sim.Observer;
import io.muninn.sim.SimNode;
import io.muninn.sim.delay.RandomDelays;
import io.muninn.spi.Event;
import io.muninn.spi.UpdateRules;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Programs whose nodes flush the same pages at once: they end, and reach the states they are for.
 */
class ExchangesTest {
    private static final PageId PAGE = new PageId(0, 0);
    private static final int SEEDS = Seeds.some(60);
    private static final int NODES = 5;
    private static final long HOLD_NANOS = 100_000;
    private static final UpdateRules SHORT_WINDOW = new UpdateRules(2_000, UpdateRules.ALL_DIRECT);

    private static Program program(int seed) {
        return Exchanges.of(SeededRun.spread(seed), NODES, HOLD_NANOS).withUpdates(SHORT_WINDOW);
    }

    /** Loads race with stores, but no thread waits for ever. */
    @Test
    void noProgram_canStandStill() {
        for (int seed = 0; seed < SEEDS; seed++) {
            new SequentialRun(program(seed), seed).run();
        }
    }

    @Test
    void sameArguments_makeTheSameProgram() {
        assertEquals(program(7).toText(), program(7).toText());
    }

    @Test
    void runs_keepEveryPromiseAndGiveCopiesUpUnderWay() {
        Set<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS / 4; seed++) {
            Program program = program(seed);
            List<Observer> observers = new ArrayList<>(Checkers.all());
            observers.add(new States(seen));
            ProgramRun.Result result =
                    ProgramRun.run(
                            program,
                            new RandomDelays(new Random(seed), new Random(seed), NODES),
                            _ -> {},
                            observers);
            assertTrue(result.completed(), "seed " + seed);
        }

        assertTrue(
                seen.containsAll(Set.of("Withdrawn", "Absent, update under way")), seen.toString());
    }

    /** Records the states of the first page. */
    private record States(Set<String> seen) implements Observer {
        @Override
        public void beforeStep(SimNode node, Event event) {
            if (event instanceof Event.MessageArrived) {
                String state = node.snapshot(PAGE).state();
                seen.add(node.pages().isDiffSaved(PAGE) ? state + ", update under way" : state);
            }
        }
    }
}
