package io.muninn.apps.water;

import io.muninn.api.DsmNode;
import java.util.ArrayList;
import java.util.List;

/** Water by cells on one thread. */
final class CellsSequential {
    private CellsSequential() {}

    static double[] run(WaterSize size, DsmNode node) {
        WaterCells cells = new WaterCells(new WaterModel(size.molecules()));
        double[][] records = new double[size.molecules()][];
        for (int i = 0; i < records.length; i++) {
            records[i] = cells.placed(i);
        }
        double[] energies = new double[2 * (size.steps() + 1)];
        for (int step = 0; step <= size.steps(); step++) {
            if (step > 0) {
                for (double[] record : records) {
                    cells.move(record);
                }
            }
            double[][][] lists = lists(cells, records);
            double[] energy = new double[2];
            for (int cell = 0; cell < cells.cells(); cell++) {
                cells.force(node, lists[cell], cell, lists, step > 0, energy);
            }
            System.arraycopy(energy, 0, energies, 2 * step, 2);
        }
        return WaterCells.results(energies, records);
    }

    /** The molecules of each cell in ascending order. */
    private static double[][][] lists(WaterCells cells, double[][] records) {
        List<List<double[]>> lists = new ArrayList<>();
        for (int cell = 0; cell < cells.cells(); cell++) {
            lists.add(new ArrayList<>());
        }
        for (double[] record : records) {
            lists.get(cells.cell(record)).add(record);
        }
        return lists.stream().map(list -> list.toArray(double[][]::new)).toArray(double[][][]::new);
    }
}
