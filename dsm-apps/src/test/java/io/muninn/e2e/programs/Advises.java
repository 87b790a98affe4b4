package io.muninn.e2e.programs;

import io.muninn.api.Advice;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/** All threads count under a lock, and advise their nodes how its pages, and others, are used. */
public final class Advises implements DsmProgram {
    private static final int SECTIONS = 20; // of each thread

    @Shared(Protocol.MIGRATORY)
    final LongArray counter = LongArray.of(1);

    @Shared(Protocol.HYBRID)
    final LongArray grid = LongArray.of(512);

    @Override
    public void run(DsmNode node) {
        DsmLock lock = node.lock("counter");
        lock.guards(counter, 0, 1);
        grid.readers(0, 512).advise(Advice.FLUSH);
        for (int i = 0; i < SECTIONS; i++) {
            lock.lock();
            counter.set(0, counter.get(0) + 1);
            lock.unlock();
        }
        grid.set(node.position(), 1);
    }

    @Override
    public Verdict verify(DsmNode root) {
        long sections = 0;
        for (int i = 0; i < 512; i++) {
            sections += SECTIONS * grid.get(i);
        }
        return counter.get(0) == sections
                ? Verdict.right(sections + " sections")
                : Verdict.wrong(counter.get(0) + " sections of " + sections);
    }
}
