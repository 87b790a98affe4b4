package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.NodeLostException;
import io.muninn.api.Verdict;

/** The last node ends while it reads under a reader-writer lock; the others wait to write. */
public final class LostReader implements DsmProgram {
    private static final int STATUS = 9;

    @Override
    public void run(DsmNode node) {
        DsmReadWriteLock lock = node.readWriteLock("table");
        boolean isLast = node.id() == node.nodes() - 1;
        if (isLast) {
            lock.readLock().lock();
        }
        node.barrier("held").await();
        if (isLast) {
            Runtime.getRuntime().halt(STATUS);
        }
        try {
            lock.writeLock().lock();
        } catch (NodeLostException lost) {
            System.out.println("the wait of node " + node.id() + " has ended");
            throw lost;
        }
        throw new IllegalStateException("a writer beside a reader");
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.wrong("nobody was lost");
    }
}
