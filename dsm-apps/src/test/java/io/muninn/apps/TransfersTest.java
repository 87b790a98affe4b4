package io.muninn.apps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.Protocol;
import io.muninn.e2e.programs.FileTransfers;
import io.muninn.e2e.programs.Groups;
import io.muninn.e2e.programs.Shapes;
import io.muninn.sim.app.AppResult;
import io.muninn.sim.app.AppRun;
import io.muninn.spi.NodeCounter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files to and from variables, and copies between them, where no hardware faults; {@code
 * SemanticsE2eTest} has the rest.
 */
class TransfersTest {
    @Test
    void singleNode_readsAndWritesFiles() {
        assertEquals("3 turns", Dsm.run(new FileTransfers()).detail());
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE_SHARED", "CONVENTIONAL", "MIGRATORY"})
    void simulatedNodes_faultForEveryPageOfATransfer(Protocol protocol) {
        AppRun run = AppRun.of(FileTransfers::new, 3);
        run.protocol(protocol);

        AppResult result = run.run();

        assertTrue(result.isGood(), result::toString);
        long faults =
                result.total(NodeCounter.READ_FAULTS) + result.total(NodeCounter.WRITE_FAULTS);
        assertTrue(faults > 8 * 3 * 100, result::toString);
    }

    @Test
    void shapes_areWholeOnOneNodeAndOnSimulatedOnes() {
        assertEquals("shapes are whole", Dsm.run(new Shapes()).detail());
        for (int nodes : new int[] {2, 3}) {
            AppResult result = AppRun.of(Shapes::new, nodes).threads(4 - nodes).run();

            assertTrue(result.isGood(), result::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "2, 1", "3, 2"})
    void groups_doTheirWorkOnClustersOfEverySize(int nodes, int threads) {
        AppResult result = AppRun.of(Groups::new, nodes).threads(threads).run();

        assertTrue(result.isGood(), () -> result.failure().toString());
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE_SHARED", "LAZY", "CONVENTIONAL", "WEAK"})
    void groupsUnderAProtocolOfTheRun_doTheirWorkExceptForSealing(Protocol protocol) {
        AppRun run = AppRun.of(() -> new Groups(false), 2).threads(2);
        run.protocol(protocol);

        AppResult result = run.run();

        assertTrue(result.isGood(), () -> result.failure().toString());
    }

    @Test
    void groupsOfOneNode_doTheirWork() {
        assertEquals("groups have done their work", Dsm.run(new Groups()).detail());
    }
}
