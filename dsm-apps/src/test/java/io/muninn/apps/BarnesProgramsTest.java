package io.muninn.apps;

import static io.muninn.apps.ProgramsByName.program;
import static io.muninn.apps.SimulatedRuns.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.coherence.ProtocolKind;
import io.muninn.sim.app.AppResult;
import io.muninn.spi.NodeCounter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The programs of bodies, small, in the simulator: every version on every cluster has the bits of
 * the sequential one. Most protocols are tagged slow.
 */
@Timeout(60)
class BarnesProgramsTest {
    private static final String SMALL = " --bodies 120 --steps 2";

    @Test
    void programsInEveryVersion_haveTheSameBitsAndOnlyRebuildTakesLocks() {
        Set<String> details = new LinkedHashSet<>();
        for (String program : List.of("barnes-rebuild", "barnes-space")) {
            AppResult shared = run(program + SMALL, 4, 1);
            details.add(shared.verdict().detail());
            boolean takesLocks = shared.total(NodeCounter.LOCK_CALLS) > 0;
            assertEquals(program.equals("barnes-rebuild"), takesLocks, shared::toString);
            details.add(run(program + SMALL, 3, 2).verdict().detail());
            details.add(run(program + SMALL + " --version seq", 2, 1).verdict().detail());
            AppResult messages = run(program + SMALL + " --version mp", 3, 2);
            details.add(messages.verdict().detail());
            assertEquals(0, messages.total(NodeCounter.READ_FAULTS));
        }

        assertEquals(1, details.size(), details::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"barnes-rebuild", "barnes-space"})
    void programUnderOtherProtocols_isRight(String program) {
        run(program + SMALL, 3, 1, Optional.of(Protocol.LAZY));
        run(program + SMALL, 2, 2, Optional.of(Protocol.CONVENTIONAL));
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"barnes-rebuild", "barnes-space"})
    void programUnderEveryProtocol_isRight(String program) {
        for (Protocol protocol : ProtocolKind.ofEveryProgram()) {
            run(program + SMALL, 3, 2, Optional.of(protocol));
            run(program + " --bodies 1000 --steps 2", 8, 1, Optional.of(protocol));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"barnes-rebuild", "barnes-space"})
    void programWithFewerBodiesThanThreads_isRight(String program) {
        for (String size :
                List.of(
                        " --bodies 1 --steps 2",
                        " --bodies 3 --steps 2",
                        " --bodies 12 --steps 2 --theta 0",
                        " --bodies 9 --steps 0",
                        " --bodies 9 --steps 2 --seed 5 --version mp")) {
            run(program + size, 3, 2);
        }
    }

    @Test
    void optionsOutOfRange_areRefused() {
        assertRefused("--bodies 0", "option --bodies is an integer from 1 to 65536, not '0'");
        assertRefused("--steps -1", "option --steps is an integer from 0 to 1000");
        assertRefused("--theta 201", "option --theta is an integer from 0 to 200");
        assertRefused("--seed -1", "option --seed is an integer from 0 to 2147483647");
        assertRefused("--version ship", "option --version is one of dsm, mp, seq");
    }

    private static void assertRefused(String options, String because) {
        for (String program : List.of("barnes-rebuild ", "barnes-space ")) {
            String text =
                    assertThrows(IllegalArgumentException.class, () -> program(program + options))
                            .getMessage();
            assertTrue(text.startsWith(because), text);
        }
    }
}
