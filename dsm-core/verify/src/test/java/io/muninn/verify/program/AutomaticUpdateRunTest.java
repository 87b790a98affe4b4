package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.sim.Observer;
import io.muninn.sim.Simulation;
import io.muninn.sim.machine.HandlerPolicy;
import io.muninn.verify.check.Checkers;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs on nodes whose hardware sends stores (AURC), under every checker. */
class AutomaticUpdateRunTest {
    private static final int SEEDS = 6; // as many as there are shapes of a node
    private static final int STORES = 200;
    private static final int SECTIONS = 20;

    /** Counts the updates that have left. */
    private static final class Updates implements Observer {
        private long sent;

        @Override
        public void onEnd(Simulation simulation) {
            for (int i = 0; i < simulation.cluster().nodes(); i++) {
                sent += simulation.machine().orElseThrow().node(i).counts().updates();
            }
        }
    }

    private static List<Observer> with(Updates updates) {
        List<Observer> observers = new ArrayList<>(Checkers.all());
        observers.add(updates);
        return observers;
    }

    @Test
    void randomPrograms_keepEveryPromiseAndSendUpdates() {
        Updates updates = new Updates();
        TreeSet<String> shapes = new TreeSet<>();
        for (long seed = 1; seed <= SEEDS; seed++) {
            Program program = AutomaticUpdateRun.program(seed);
            shapes.add(program.processes() + " of " + program.threads() / program.processes());
            AutomaticUpdateRun.run(seed, with(updates));
        }

        assertEquals("[1 of 1, 1 of 2, 2 of 1, 2 of 2, 3 of 1, 3 of 2]", shapes.toString());
        assertTrue(updates.sent > SEEDS);
    }

    /**
     * A process stores all the time, while its sibling fetches the page again and again: the image
     * has been taken before the last stores reached the home.
     */
    @ParameterizedTest
    @EnumSource
    void imageThatIsMerged_takesBackNoStoreThatHasLeft(HandlerPolicy policy) {
        StringBuilder text = new StringBuilder();
        text.append(
                """
                2 nodes of 2 threads
                2 processes on each node
                fetches merge pages
                region 0: HOME_BASED, 1 pages of 4096 bytes, granule 8, home ROOT
                node 0 thread 0
                """);
        for (int i = 1; i <= SECTIONS; i++) {
            text.append("acquire lock0\nstore ").append(i).append(" to 0/0+24:8\n");
            text.append("release lock0\nwork 20000 ns\n");
        }
        text.append("node 1 thread 0\n");
        for (int i = 1; i <= STORES; i++) {
            text.append("store ").append(SECTIONS + i).append(" to 0/0+64:8\n");
            text.append("work 2000 ns\nload 0/0+64:8\n");
        }
        text.append("node 1 thread 1\n");
        text.append("acquire lock0\nload 0/0+24:8\nrelease lock0\nwork 5000 ns\n".repeat(SECTIONS));
        Updates updates = new Updates();

        AutomaticUpdateRun.run(ProgramText.read(text.toString()), policy, 1, with(updates));

        assertTrue(updates.sent > SECTIONS);
    }

    /** Nobody asks for the last store: its update waits for the next message of its sender. */
    @Test
    void updateThatNoFlushFollows_isNoLossAtTheEnd() {
        Program program =
                ProgramText.read(
                        """
                        2 nodes of 1 threads
                        region 0: HOME_BASED, 1 pages of 4096 bytes, granule 8, home ROOT
                        node 0 thread 0
                            store 1 to 0/0+0:8
                            await begin
                        node 1 thread 0
                            await begin
                            store 2 to 0/0+8:8
                            load 0/0+8:8
                        """);
        Updates updates = new Updates();

        AutomaticUpdateRun.run(program, HandlerPolicy.STATIC, 1, with(updates));

        assertEquals(1, updates.sent);
    }

    /** The root has initialized the page, which does not make it the home of the page. */
    @Test
    void storeBeforeTheHomeIsKnown_isFlushedAsADiffThoughTheRootHasInitialized() {
        Program program =
                ProgramText.read(
                        """
                        3 nodes of 1 threads
                        region 0: HOME_BASED, 1 pages of 4096 bytes, granule 8, home FIRST_TOUCH
                        initially store 1 to 0/0+0:8
                        node 0 thread 0
                            await begin
                            await stored
                        node 1 thread 0
                            load 0/0+0:8
                            await begin
                            work 5000 ns
                            store 2 to 0/0+8:8
                            await stored
                        node 2 thread 0
                            await begin
                            store 3 to 0/0+16:8
                            await stored
                            load 0/0+8:8
                        """);
        Updates updates = new Updates();

        AutomaticUpdateRun.run(program, HandlerPolicy.STATIC, 1, with(updates));

        assertEquals(0, updates.sent);
    }
}
