package io.muninn.e2e.programs;

import io.muninn.api.DoubleMatrix;
import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Verdict;

/** Every thread takes part in allocations during the run, and stores to what it got. */
public final class Allocates implements DsmProgram {
    private static final int FEW = 12;

    private final int times;

    public Allocates() {
        this(new String[0]);
    }

    /** With the number of times that it allocates two variables. */
    public Allocates(String[] options) {
        times = options.length == 0 ? FEW : Integer.parseInt(options[0]);
    }

    @Override
    public void run(DsmNode node) {
        int parties = node.nodes() * node.threads();
        int self = node.id() * node.threads() + node.thread();
        DsmBarrier stored = node.barrier("stored");
        for (int i = 0; i < times; i++) {
            Protocol protocol = i % 2 == 0 ? Protocol.WRITE_SHARED : Protocol.CONVENTIONAL;
            LongArray words = node.allocate("words " + i, LongArray.of(parties), protocol);
            DoubleMatrix rows =
                    node.allocate("rows " + i, DoubleMatrix.of(parties, 3), Protocol.WRITE_SHARED);
            words.set(self, 100 * i + self);
            rows.set(self, 1, i - self);
            stored.await();
            for (int at = 0; at < parties; at++) {
                if (words.get(at) != 100 * i + at || rows.get(at, 1) != i - at) {
                    throw new IllegalStateException(
                            "allocation "
                                    + i
                                    + ": thread "
                                    + at
                                    + " stored "
                                    + words.get(at)
                                    + " and "
                                    + rows.get(at, 1));
                }
            }
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right(2 * times + " allocations");
    }
}
