package com.example;

import io.muninn.api.Band;
import io.muninn.api.DoubleArray;
import io.muninn.api.Dsm;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.util.List;

/** Integrates 4 / (1 + x²) from 0 to 1: every thread a band, added up under a lock. */
public final class Pi implements DsmProgram {
    private static final int STEPS = 10_000_000;

    @Shared(Protocol.MIGRATORY)
    private final DoubleArray sum = DoubleArray.of(1);

    private final int steps;

    /**
     * @param options the number of steps, or nothing
     */
    Pi(List<String> options) {
        steps = options.isEmpty() ? STEPS : Integer.parseInt(options.getFirst());
    }

    /** Runs the program on three nodes, processes of this machine. */
    public static void main(String[] options) {
        Verdict verdict = Dsm.run(Pi.class, 3, options);
        System.out.println(verdict.right() ? "done: " + verdict.detail() : "wrong");
    }

    @Override
    public void run(DsmNode node) {
        Band band = node.band(steps);
        double mine = 0;
        for (int i = band.from(); i < band.to(); i++) {
            double x = (i + 0.5) / steps;
            mine += 4 / (1 + x * x);
        }
        DsmLock lock = node.lock("sum");
        lock.lock();
        try {
            sum.set(0, sum.get(0) + mine / steps);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        double pi = Math.round(sum.get(0) * 1e6) / 1e6;
        return pi == 3.141593 ? Verdict.right("pi is " + pi) : Verdict.wrong("pi is not " + pi);
    }
}
