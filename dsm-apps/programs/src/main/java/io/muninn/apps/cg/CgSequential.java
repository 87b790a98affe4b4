package io.muninn.apps.cg;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;
import java.util.List;
import java.util.stream.IntStream;

/**
 * CG on one thread of the root. It adds the dot products band by band, with as many bands as
 * threads, so that its results have the same bits as other versions.
 */
final class CgSequential implements DsmProgram {
    private final CgSize size;

    /** Allocated in the run, on the root only. */
    private DoubleArray solutions;

    CgSequential(CgSize size) {
        this.size = size;
        solutions = DoubleArray.of(1);
    }

    @Override
    public void run(DsmNode node) {
        if (node.position() != 0) {
            Repeats.run(node, size.repeat(), _ -> {});
            return;
        }
        solutions = size.localSolutions();
        SparseRows matrix = SparseRows.whole(size);
        Repeats.run(node, size.repeat(), turn -> solve(node, size, matrix, turn, solutions));
    }

    /** Solves system {@code turn} on the calling thread. */
    static void solve(
            DsmNode node, CgSize size, SparseRows matrix, int turn, DoubleArray solutions) {
        int positions = node.positions();
        DoubleArray direction = DoubleArray.local(size.unknowns());
        DoubleArray slots = DoubleArray.local(CgBand.SLOT * positions);
        List<CgBand> bands =
                IntStream.range(0, positions)
                        .mapToObj(position -> new CgBand(size, position, positions))
                        .toList();
        bands.forEach(band -> band.begin(turn, direction));
        for (int i = 0; i < size.iterations(); i++) {
            bands.forEach(
                    band -> band.multiply(node, matrix, band.rows().from(), direction, slots));
            bands.forEach(band -> band.advance(node, slots, direction));
        }
        bands.forEach(band -> band.copySolution(solutions, turn * size.unknowns()));
    }

    @Override
    public Verdict verify(DsmNode root) {
        return CgVerification.verify(root, size, solutions);
    }
}
