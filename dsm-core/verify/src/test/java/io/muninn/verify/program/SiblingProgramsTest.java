package io.muninn.verify.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.muninn.api.Protocol;
import io.muninn.verify.check.Checkers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random programs on nodes of several processes, under every checker. */
class SiblingProgramsTest {
    private static final int RUNS = 3;

    @ParameterizedTest
    @EnumSource(
            value = Protocol.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"READ_ONLY"})
    void processesOfANode_keepEveryPromise(Protocol protocol) {
        SeededRun.Options options = SeededRun.Options.ALL.only(protocol);
        int several = 0;
        for (long seed = 1; several < RUNS; seed++) {
            SeededRun run = SeededRun.ofSiblings(seed, options);
            if (run.program().processes() > 1) {
                run.run(Checkers.all());
                several++;
            }
        }
    }

    @Test
    void numberOfProcesses_isInTheTextOfAProgram() {
        Program program =
                RandomProgram.of(
                        7, new RandomProgram.Shape(List.of(Protocol.LAZY), 3, 1_000, true));
        Program several = program.withProcesses(program.threads());

        assertEquals(several.toText(), ProgramText.read(several.toText()).toText());
    }
}
