package io.muninn.nativefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.muninn.model.FaultKind;
import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Continuous faults while the application's JVM collects: a thread that is blocked in a fault
 * cannot reach a safepoint, so a resolver that needed that JVM would hang here. Each engine is
 * tested with one collector and one way of withdrawal; all combinations are tagged slow.
 */
@Timeout(120)
@ParameterizedClass
@EnumSource(EngineKind.class)
class StormTest {
    private static final int PAGE = Pair.PAGE;
    private static final int PAGES = 64;
    private static final int RESIDENT_MAX = 4;
    private static final int FAULTS = 20_000;
    private static final int INCREMENTS = 12_000;

    /** Default number of each. */
    private static final int PART = 3;

    @Parameter private EngineKind kind;

    /**
     * An agent that permits few accessible pages at a time. It withdraws the oldest and resolves
     * nothing until that is done, so the application cannot overtake the withdrawals.
     */
    private static final class Miser implements CommandSink {
        private record Waiting(int page, FaultKind kind) {}

        private final FaultEngine engine;
        private final PageAccess[] access = new PageAccess[PAGES];
        private final Deque<Waiting> waiting = new ArrayDeque<>();
        private final Deque<Integer> resident = new ArrayDeque<>();
        private final boolean byAgent;
        private boolean withdrawing;
        private int faults;

        Miser(FaultEngine engine, boolean byAgent) {
            this.engine = engine;
            this.byAgent = byAgent;
            Arrays.fill(access, PageAccess.NONE);
            engine.touch(0, (long) PAGES * PAGE);
        }

        void onFault(MappingId of, long offset, FaultKind kind, int thread) {
            faults++;
            waiting.add(new Waiting((int) (offset / PAGE), kind));
            resolveWaiting();
        }

        private void resolveWaiting() {
            while (!withdrawing && !waiting.isEmpty()) {
                Waiting next = waiting.remove();
                resolve(next.page, next.kind);
            }
        }

        private void resolve(int page, FaultKind kind) {
            if (access[page] == PageAccess.NONE) {
                resident.add(page);
            }
            if (access[page] != PageAccess.READ_WRITE) {
                access[page] = kind.isStore() ? PageAccess.READ_WRITE : PageAccess.READ;
            }
            engine.allow(MappingId.FIRST, (long) page * PAGE, PAGE, access[page]);
            engine.wake((long) page * PAGE, PAGE);
            if (resident.size() > RESIDENT_MAX) {
                withdraw(resident.remove());
            }
        }

        private void withdraw(int victim) {
            if (byAgent) {
                engine.withdraw((long) victim * PAGE, PAGE);
                access[victim] = PageAccess.NONE;
            } else {
                withdrawing = true;
                engine.allow(MappingId.FIRST, (long) victim * PAGE, PAGE, PageAccess.NONE);
            }
        }

        @Override
        public void onDropped(long sequence, long offset, long bytes) {
            access[(int) (offset / PAGE)] = PageAccess.NONE;
            withdrawing = false;
            resolveWaiting();
        }

        @Override
        public void onPong(long sequence) {
            throw new AssertionError("nobody pinged");
        }

        @Override
        public void onApplicationGone() {
            throw new AssertionError("the application ended");
        }
    }

    @Test
    void thousandsOfFaultsUnderCollections_loseNothing() {
        switch (kind) {
            case UFFD_EVENT -> storm("-XX:+UseG1GC", true, PART);
            case UFFD_SIGNAL -> storm("-XX:+UseZGC", false, PART);
            case MPROTECT_SIGNAL -> storm("-XX:+UseZGC", true, PART);
        }
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"-XX:+UseG1GC,true", "-XX:+UseG1GC,false", "-XX:+UseZGC,true", "-XX:+UseZGC,false"})
    void twentyThousandFaultsOfEachKind_loseNothing(String collector, boolean byAgent) {
        assumeTrue(
                kind != EngineKind.MPROTECT_SIGNAL || byAgent == collector.endsWith("ZGC"),
                "its protector withdraws both ways: one collector for each");
        storm(collector, byAgent, 1);
    }

    private void storm(String collector, boolean byAgent, int part) {
        List<String> flags = List.of(collector, "-Xmx128m");
        try (Pair pair = Pair.startJvm(kind, (long) PAGES * PAGE, flags)) {
            Miser miser = new Miser(pair.engine, byAgent);
            pair.application.say("storm storm " + PAGES + " " + INCREMENTS / part);

            String answer = null;
            for (long start = System.nanoTime(); answer == null; ) {
                Descriptors.await(
                        50, pair.engine.first().faultFd(), pair.engine.first().commandFd());
                pair.engine.readFaults(MappingId.FIRST, miser::onFault);
                pair.engine.first().onCommandReadable(miser);
                answer = pair.application.lineNow();
                assertTrue(
                        System.nanoTime() - start < 5 * Pair.PATIENCE_NANOS,
                        "stalled after " + miser.faults + " faults");
            }

            String[] words = answer.split(" ");
            assertEquals("storm", words[0]);
            assertEquals(words[2], words[1], "sum of all pages");
            assertTrue(Long.parseLong(words[2]) >= INCREMENTS / part, words[2] + " increments");
            assertTrue(miser.faults >= FAULTS / part, miser.faults + " faults");
            assertTrue(
                    Long.parseLong(words[3]) >= FaultingApplication.COLLECTIONS_MIN,
                    words[3] + " collections");
        }
    }
}
