package io.muninn.e2e.programs;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.Home;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * Every node prefetches pages that the root has filled and loads from them, and counts under a lock
 * that it tells to guard the count; then the root polls, with refreshes, for what each other node
 * stores and never releases.
 */
public final class Hints implements DsmProgram {
    private static final int PAGE_LENGTH = 512;
    private static final int PAGES = 64;

    @Shared(value = Protocol.WRITE_SHARED, home = Home.CYCLIC)
    private final LongArray filled = LongArray.of(PAGES * PAGE_LENGTH);

    @Shared(value = Protocol.WRITE_SHARED, home = Home.ROOT)
    private final LongArray flags = LongArray.of(PAGE_LENGTH);

    @Shared(Protocol.MIGRATORY)
    private final LongArray count = LongArray.of(1);

    @Override
    public void initialize(DsmNode root) {
        for (int page = 0; page < PAGES; page++) {
            filled.set(page * PAGE_LENGTH, page);
        }
    }

    @Override
    public void run(DsmNode node) {
        filled.prefetch(0, filled.length());
        flags.get(0); // a copy on every node
        for (int page = 0; page < PAGES; page++) {
            check(filled.get(page * PAGE_LENGTH) == page, "page " + page);
            check(filled.home(page * PAGE_LENGTH) == page % node.nodes(), "home of page " + page);
        }
        DsmLock lock = node.lock("count");
        lock.guards(count, 0, 1);
        lock.lock();
        count.set(0, count.get(0) + 1);
        lock.unlock();
        node.barrier("copies").await();
        if (node.isRoot()) {
            for (int other = 1; other < node.nodes(); other++) {
                int polled = other;
                node.refreshUntil(() -> flags.getVolatile(polled) != 0);
                node.messages().send(other, 0, new byte[0]);
            }
        } else {
            flags.setVolatile(node.id(), 1);
            node.messages().receive(0, 0); // after the root has seen it
        }
    }

    private static void check(boolean isRight, String what) {
        if (!isRight) {
            throw new IllegalStateException(what + " is wrong");
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return count.get(0) == root.nodes()
                ? Verdict.right("hints are taken")
                : Verdict.wrong(count.get(0) + " instead of " + root.nodes());
    }
}
