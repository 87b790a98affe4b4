package io.muninn.apps.gaussflags;

import io.muninn.api.DoubleArray;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.Home;
import io.muninn.api.IntArray;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteInts;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import io.muninn.apps.Pattern;
import io.muninn.apps.SameBits;
import io.muninn.apps.Structure;
import java.util.Arrays;
import java.util.concurrent.locks.Lock;

/**
 * Gaussian elimination without pivoting. Threads take row after row from a common index. Whoever
 * takes a row holds its lock until the row is finished; the others acquire and release it before
 * they subtract the row, so that locks serve as flags.
 *
 * <p>Structure. At first the lock of the index lies on the page of the index. It is then separated;
 * the locks of rows become reader-writer locks; the index becomes a remote variable.
 *
 * <p>The matrix is diagonally dominant, so it needs no pivots. A row's operations do not depend on
 * the number of threads, so results have the bits of the sequential elimination.
 *
 * <p>Source: Kontothanassis and Scott, sections 3, 4.1 and 4.3.
 */
final class GaussFlagsProgram implements DsmProgram {
    /** Simple operations for an element: a multiplication and a subtraction. */
    private static final int ELEMENT_UNITS = 2;

    /** Simple operations for a division. */
    private static final int DIVISION_UNITS = 10;

    private static final long SEED = 71;

    @Shared(value = Protocol.LAZY, home = Home.CYCLIC)
    private final DoubleArray rows;

    @Shared private final IntArray index = IntArray.of(1);

    @Shared private final RemoteInts remoteIndex = RemoteInts.of(1);

    private final int size;
    private final Structure structure;

    GaussFlagsProgram(int size, Structure structure) {
        this.size = size;
        this.structure = structure;
        rows = DoubleArray.of(size * size);
    }

    private static double[] filled(int size, int row) {
        double[] values = new double[size];
        for (int column = 0; column < size; column++) {
            values[column] = Pattern.at(SEED, row, column);
        }
        values[row] += size;
        return values;
    }

    @Override
    public void initialize(DsmNode root) {
        for (int row = 0; row < size; row++) {
            rows.copyFrom(row * size, filled(size, row), 0, size);
        }
    }

    @Override
    public void run(DsmNode node) {
        DsmLock lock = node.lock("index");
        if (!structure.has(Structure.SEPARATED)) {
            lock.guards(index, 0, 1);
        }
        int row = take(node, lock);
        while (row < size) {
            for (int earlier = 0; earlier < row; earlier++) {
                Lock flag = flag(node, earlier, false);
                flag.lock();
                flag.unlock();
                subtract(node, earlier, row);
            }
            flag(node, row, true).unlock();
            row = take(node, lock);
        }
    }

    /** Takes the next row, and its lock before anybody takes a later one. */
    private int take(DsmNode node, DsmLock lock) {
        lock.lock();
        try {
            boolean isRemote = structure.has(Structure.REMOTE);
            int row = isRemote ? remoteIndex.get(0) : index.get(0);
            if (row < size) {
                if (isRemote) {
                    remoteIndex.set(0, row + 1);
                } else {
                    index.set(0, row + 1);
                }
                flag(node, row, true).lock();
            }
            return row;
        } finally {
            lock.unlock();
        }
    }

    private Lock flag(DsmNode node, int row, boolean toFinish) {
        if (!structure.has(Structure.READERS)) {
            return node.lock("row-" + row);
        }
        DsmReadWriteLock both = node.readWriteLock("row-" + row);
        return toFinish ? both.writeLock() : both.readLock();
    }

    private void subtract(DsmNode node, int earlier, int row) {
        int count = size - earlier;
        double[] pivot = new double[count];
        double[] own = new double[count];
        rows.copyTo(earlier * size + earlier, pivot, 0, count);
        rows.copyTo(row * size + earlier, own, 0, count);
        subtract(pivot, own);
        node.work(DIVISION_UNITS + (long) ELEMENT_UNITS * count);
        rows.copyFrom(row * size + earlier, own, 0, count);
    }

    /** Subtracts a multiple of a row, so that the first element of the other becomes zero. */
    private static void subtract(double[] pivot, double[] own) {
        double factor = own[0] / pivot[0];
        own[0] = 0;
        for (int i = 1; i < own.length; i++) {
            own[i] -= factor * pivot[i];
        }
    }

    /** The rows of the sequential elimination, one behind the other. */
    static double[] sequential(int size) {
        double[] all = new double[size * size];
        double[][] done = new double[size][];
        for (int row = 0; row < size; row++) {
            double[] own = filled(size, row);
            for (int earlier = 0; earlier < row; earlier++) {
                double[] pivot = Arrays.copyOfRange(done[earlier], earlier, size);
                double[] rest = Arrays.copyOfRange(own, earlier, size);
                subtract(pivot, rest);
                System.arraycopy(rest, 0, own, earlier, rest.length);
            }
            done[row] = own;
            System.arraycopy(own, 0, all, row * size, size);
        }
        return all;
    }

    @Override
    public Verdict verify(DsmNode root) {
        double[] all = new double[size * size];
        rows.copyTo(0, all, 0, all.length);
        return SameBits.verdict("triangle of " + size + " rows", all, sequential(size));
    }
}
