package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.sim.delay.RandomDelays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramTextTest {
    private static final int SEEDS = 3;

    @Test
    void anyProgram_isReadAsItWasWritten() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            for (SeededRun trial : SeededRun.all(seed, SeededRun.Options.ALL)) {
                String text = trial.program().toText();

                assertEquals(text, ProgramText.read(text).toText());
            }
        }
    }

    @Test
    void aProgramThatWasRead_runsAsTheOther() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Program program = SeededRun.ofWaits(seed, SeededRun.Options.ALL).program();

            assertEquals(hash(program), hash(ProgramText.read(program.toText())));
        }
    }

    private static long hash(Program program) {
        RandomDelays delays = new RandomDelays(new Random(1), new Random(2), program.nodes());
        return ProgramRun.run(program, delays, _ -> {}, List.of()).traceHash();
    }

    @Test
    void rulesThatATextLacks_stayAsTheyAre() {
        Program other = ProgramText.read("1 nodes of 1 threads\nhold 5 ns\nread-ahead off\n");
        ProgramText.Draft draft =
                ProgramText.draft(
                        List.of("# steady", "1 nodes of 1 threads", "hold 7 ns"), 1, List.of());

        Program ruled = draft.rules().apply(other);

        assertEquals(7, ruled.holdNanos());
        assertEquals(other.updates(), ruled.updates());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "two nodes",
                "2 nodes of 1 threads\nhold 5 s",
                "2 nodes of 1 threads\nregion 1: LAZY, 1 pages of 4096 bytes, granule 8",
                "2 nodes of 1 threads\nregion 0: BUSY, 1 pages of 4096 bytes, granule 8",
                "2 nodes of 1 threads\nnode 2 thread 0",
                "2 nodes of 1 threads\nnode 1 thread 0\nload 0/0",
                "2 nodes of 1 threads\nnode 1 thread 0\nwait"
            })
    void aLineThatCannotBeRead_isNamed(String text) {
        Exception thrown =
                assertThrows(IllegalArgumentException.class, () -> ProgramText.read(text));

        List<String> lines = text.lines().toList();
        String expected = "line " + lines.size() + ": " + lines.getLast() + ": ";
        assertTrue(thrown.getMessage().startsWith(expected), thrown.getMessage());
    }
}
