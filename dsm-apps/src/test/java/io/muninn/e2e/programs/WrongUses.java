package io.muninn.e2e.programs;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.RemoteLongs;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * Every node uses locks and variables as it must not. Each use is refused by an exception that
 * names the lock or variable, the index if there is one, and the node, and goes no further.
 */
public final class WrongUses implements DsmProgram {
    private static final int LENGTH = 1000;

    @Shared(Protocol.WEAK)
    private final LongArray words = LongArray.of(LENGTH);

    @Shared private final RemoteLongs table = RemoteLongs.of(LENGTH);

    @Override
    public void run(DsmNode node) {
        DsmReadWriteLock guard = node.readWriteLock("guard");
        DsmLock lock = node.lock("lock");
        String self = "node " + node.id();
        guard.readLock().lock();
        refused(IllegalStateException.class, guard.writeLock()::lock, "'guard'", self);
        guard.readLock().unlock();
        refused(IllegalMonitorStateException.class, guard.readLock()::unlock, "'guard'", self);
        refused(IllegalMonitorStateException.class, guard.writeLock()::unlock, "'guard'", self);
        refused(IllegalMonitorStateException.class, lock::unlock, "lock", self);
        refused(IndexOutOfBoundsException.class, () -> table.get(LENGTH), "table", "1000", self);
        refused(IndexOutOfBoundsException.class, () -> table.set(-1, 1), "table", "-1", self);
        refused(IndexOutOfBoundsException.class, () -> words.set(LENGTH, 1), "1000");

        guard.writeLock().lock();
        words.set(0, words.get(0) + 1);
        guard.writeLock().unlock();
    }

    @Override
    public Verdict verify(DsmNode node) {
        String detail = words.get(0) + " nodes were refused all wrong uses";
        return words.get(0) == node.nodes() ? Verdict.right(detail) : Verdict.wrong(detail);
    }

    private static void refused(
            Class<? extends RuntimeException> how, Runnable use, String... names) {
        try {
            use.run();
        } catch (RuntimeException refusal) {
            String text = String.valueOf(refusal.getMessage());
            for (String name : names) {
                if (!how.isInstance(refusal) || !text.contains(name)) {
                    throw new AssertionError(name + " is missing", refusal);
                }
            }
            return;
        }
        throw new AssertionError("not refused: " + String.join(", ", names));
    }
}
