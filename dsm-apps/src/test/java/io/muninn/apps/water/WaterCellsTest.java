package io.muninn.apps.water;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.muninn.api.Dsm;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells find the pairs that act, and molecules leave them. */
class WaterCellsTest {
    private static double[] run(Function<DsmNode, double[]> version) {
        double[][] results = {{}};
        Dsm.run(
                new DsmProgram() {
                    @Override
                    public void run(DsmNode node) {
                        results[0] = version.apply(node);
                    }
                });
        return results[0];
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 100, 512, 1331})
    void cells_giveTheEnergiesOfAllPairs(int molecules) {
        WaterSize size = new WaterSize(molecules, 2);
        double[] pairs = run(node -> PairsSequential.run(size, node));
        double[] cells = run(node -> CellsSequential.run(size, node));

        assertTrue(WaterOracle.verifyPairs(size, cells, pairs).right());
        assertTrue(pairs[0] != 0 && pairs[0] != pairs[2]);
    }

    @Test
    void cellsAround_areEachOnce() {
        int[] edges = {1, 2, 3, 4};
        int[] molecules = {8, 216, 512, 1331};
        for (int i = 0; i < edges.length; i++) {
            WaterCells cells = new WaterCells(new WaterModel(molecules[i]));
            if (i > 0) {
                assertEquals(edges[i] * edges[i] * edges[i], cells.cells());
            }
            for (int cell = 0; cell < cells.cells(); cell++) {
                int[] around = cells.around(cell);
                int here = cell;
                assertEquals(around.length, Arrays.stream(around).distinct().count());
                assertEquals(Math.min(27, cells.cells()), around.length);
                assertTrue(Arrays.stream(around).anyMatch(other -> other == here));
            }
        }
        int[] corner = new WaterCells(new WaterModel(1331)).around(0);
        Arrays.sort(corner);
        assertArrayEquals(new int[] {0, 1, 3}, Arrays.copyOf(corner, 3));
    }

    @Test
    void molecules_leaveTheirCells() {
        WaterCells cells = new WaterCells(new WaterModel(216));
        int left = 0;
        for (int i = 0; i < 216; i++) {
            double[] record = cells.placed(i);
            int before = cells.cell(record);
            cells.move(record);
            left += cells.cell(record) == before ? 0 : 1;
        }
        assertTrue(left > 20, left + " molecules");
    }
}
