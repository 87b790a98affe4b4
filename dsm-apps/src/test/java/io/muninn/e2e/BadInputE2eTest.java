package io.muninn.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Protocol;
import io.muninn.apps.counter.Counter;
import io.muninn.e2e.programs.WrongUses;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.spi.UpdateRules;
import io.muninn.spi.WeakRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pools that a program or a machine cannot use, and wrong uses of locks and variables: refused by
 * one sentence, live and in the simulator.
 */
@Tag("e2e")
class BadInputE2eTest {
    private static final int USAGE = 2;

    /** Less address space than a pool needs in addition to the memory of a node. */
    private static final String LITTLE_SPACE = "ulimit -v 60000000; exec \"$@\"";

    private static final UpdateRules POOLED =
            UpdateRules.DEFAULT.withWeak(WeakRules.DEFAULT.pooled());

    @ParameterizedTest
    @ValueSource(strings = {"run -n 2 --pool counter", "sim -n 2 --pool counter"})
    void poolWithoutAWeakVariable_isRefused(String line) throws InterruptedException {
        DsmRun.run(line)
                .assertErr(
                        "--pool is for weak variables, and the program declares none: add"
                                + " --protocol weak, or leave --pool out")
                .assertStatus(USAGE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "run -n 65 --pool --protocol weak counter | -n 65: a live run has at most 64 nodes",
                "sim -n 65 --pool --protocol weak counter | --pool: -n 65 is outside the range 1"
            })
    void moreThan64Nodes_areRefused(String line, String expected) throws InterruptedException {
        DsmRun.run(line).assertErr(expected).assertStatus(USAGE);
    }

    @Test
    void poolWithoutRoom_isRefusedWithTheRemedy() throws InterruptedException {
        List<String> words = DsmRun.words("run -n 2 --pool --protocol weak counter");
        List<String> limited = List.of("sh", "-c", LITTLE_SPACE, "sh");
        try (DsmRun run = DsmRun.start(words, Map.of(), limited)) {
            DsmRun.Result result = run.await().assertStatus(USAGE);
            result.assertErr("no room for a pool of ").assertErr("'ulimit -v unlimited'");
            assertTrue(
                    result.err().lines().allMatch(line -> line.matches("node [01]: no room .*")),
                    result::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--pool"})
    void wrongUses_areRefusedByName(String pool) throws InterruptedException {
        DsmRun.run(DsmRun.programLine("-n 2 " + pool, "WrongUses"))
                .assertStatus(0)
                .assertOut("verified: 2 nodes were refused all wrong uses");

        AppRun simulated = AppRun.of(WrongUses::new, 2);
        AppResult result = (pool.isEmpty() ? simulated : simulated.updates(POOLED)).run();
        assertTrue(result.verdict().right(), result::toString);
    }

    @Test
    void simulatedPoolWithoutUse_isRefused() {
        AppRun run = AppRun.of(() -> new Counter().create(List.of()), 2).updates(POOLED);

        String text = assertThrows(IllegalArgumentException.class, run::run).getMessage();

        assertTrue(text.startsWith("--pool is for weak variables"), text);
        assertEquals(0, run.protocol(Protocol.WEAK).run().failure().stream().count());
    }
}
