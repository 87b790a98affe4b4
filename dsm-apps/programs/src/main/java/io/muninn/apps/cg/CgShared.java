package io.muninn.apps.cg;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.Repeats;

/**
 * CG in shared memory. In every iteration every thread stores to its band of the direction and
 * reads the whole direction. An update protocol sends each change once, without a request.
 */
final class CgShared implements DsmProgram {
    /** Most threads of a cluster, each of which has a slot. */
    static final int POSITIONS_MAX = 4096;

    @Shared(Protocol.READ_ONLY)
    private final IntArray starts;

    @Shared(Protocol.READ_ONLY)
    private final IntArray columns;

    @Shared(Protocol.READ_ONLY)
    private final DoubleArray values;

    @Shared(Protocol.WRITE_SHARED)
    private final DoubleArray direction;

    /** The parts of the dot products, one slot for each thread. */
    @Shared(Protocol.WRITE_SHARED)
    private final DoubleArray slots = DoubleArray.of(CgBand.SLOT * POSITIONS_MAX);

    /** Stored to once; read by the root at the end. */
    @Shared(Protocol.WRITE_SHARED)
    private final DoubleArray solutions;

    private final CgSize size;

    CgShared(CgSize size) {
        this.size = size;
        starts = IntArray.of(size.unknowns() + 1);
        columns = IntArray.of((int) size.elements());
        values = DoubleArray.of((int) size.elements());
        direction = DoubleArray.of(size.unknowns());
        solutions = DoubleArray.of(size.repeat() * size.unknowns());
    }

    @Override
    public void initialize(DsmNode root) {
        new SparseRows(starts, columns, values).fill(size);
    }

    @Override
    public void run(DsmNode node) {
        SparseRows matrix = new SparseRows(starts, columns, values);
        CgBand band = new CgBand(size, node.position(), node.positions());
        Repeats.run(node, size.repeat(), turn -> solve(node, matrix, band, turn));
    }

    /**
     * Two barriers per iteration. After <em>directed</em> the direction is complete, and all
     * threads have read the slots of the previous iteration. After <em>summed</em> the slots are
     * complete, and all threads have read the direction, which they may now change.
     */
    private void solve(DsmNode node, SparseRows matrix, CgBand band, int turn) {
        DsmBarrier directed = node.barrier("directed");
        DsmBarrier summed = node.barrier("summed");
        band.begin(turn, direction);
        for (int i = 0; i < size.iterations(); i++) {
            directed.await();
            band.multiply(node, matrix, band.rows().from(), direction, slots);
            summed.await();
            band.advance(node, slots, direction);
        }
        band.copySolution(solutions, turn * size.unknowns());
    }

    @Override
    public Verdict verify(DsmNode root) {
        return CgVerification.verify(root, size, solutions);
    }
}
