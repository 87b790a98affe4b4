package io.muninn.nativefault;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.model.MappingId;
import io.muninn.model.PageAccess;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The JVM's own signals are passed on to it: null checks, stack overflows, truncated mapped files.
 */
@Timeout(120)
@ParameterizedClass
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UFFD_EVENT")
class OwnSignalsTest {
    private static final int PAGE = Pair.PAGE;
    private static final int TWINS = 200;

    @Parameter private EngineKind kind;

    @Test
    void whatTheJvmDoesBySignals_stillWorks() {
        exchangeSignalsUnder(kind == EngineKind.UFFD_SIGNAL ? "-XX:+UseZGC" : "-XX:+UseG1GC");
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseZGC", "-Xint", "-XX:TieredStopAtLevel=1"})
    void whatItDoesWithOtherCollectorsAndCompilers_stillWorks(String flag) {
        exchangeSignalsUnder(flag);
    }

    private void exchangeSignalsUnder(String flag) {
        try (Pair pair = Pair.startJvm(kind, 4L * PAGE, List.of(flag))) {
            exchangeSignals(pair);
        }
    }

    /** The library records handlers that are installed by sigaction, and does not install them. */
    @Test
    void libraryThatChainsSignals_changesNothing() {
        Path library = Path.of(System.getProperty("java.home"), "lib", "libjsig.so");
        List<String> flags = List.of("-XX:+UseG1GC");
        try (Pair pair = Pair.startPreloaded(library, kind, 4L * PAGE, flags)) {
            exchangeSignals(pair);
        }
    }

    private static void exchangeSignals(Pair pair) {
        pair.engine.touch(0, PAGE);
        pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ);
        pair.engine.offer(0, PAGE);
        pair.application.say("a signals 0 " + Integer.MAX_VALUE);
        int[] twins = new int[1];
        String answer = null;
        for (long start = System.nanoTime(); answer == null; ) {
            pair.engine.readDirtied(offset -> twins[0]++);
            protectAgain(pair);
            pair.serve(0);
            if (pair.faultsWaiting() > 0) { // it accessed the page while the agent owned it
                pair.engine.wake(pair.fault().offset(), PAGE);
            }
            if (twins[0] >= TWINS) {
                pair.engine.control().set(JAVA_LONG, 0, 1);
            }
            answer = pair.application.lineNow();
            assertTrue(
                    System.nanoTime() - start < 5 * Pair.PATIENCE_NANOS, pair.application::errors);
        }

        int[] counts =
                Arrays.stream(answer.substring("a ".length()).split(" "))
                        .mapToInt(Integer::parseInt)
                        .toArray();
        int rounds = counts[0];
        int pieces = (rounds + 999) / 1000;
        assertArrayEquals(new int[] {rounds, (rounds + 3) / 4, pieces, pieces}, counts);
        assertEquals(rounds, pair.content(0));
    }

    private static void protectAgain(Pair pair) {
        if (pair.engine.trapState(0) == TrapState.DIRTY
                && pair.engine.seize(0, PAGE) == TrapState.AGENT) {
            pair.engine.allow(MappingId.FIRST, 0, PAGE, PageAccess.READ);
            pair.engine.offer(0, PAGE);
        }
    }
}
