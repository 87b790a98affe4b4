package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.DsmReadWriteLock;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Every node fills its part of an array, and all sum it: with the argument {@code barrier} after a
 * barrier, which is right, else at once, which is wrong. The parts lie in one page. Under a lock,
 * under a reader-writer lock and after further barriers the nodes load what others have stored, and
 * a segment covers elements to which another node stores.
 */
public final class LoadRaces implements DsmProgram {
    private static final int PART = 20;

    @Shared(Protocol.WRITE_SHARED)
    final LongArray parts = LongArray.of(500);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray sums = LongArray.of(500);

    @Shared(Protocol.WRITE_SHARED)
    final LongArray others = LongArray.of(500);

    private final boolean isRight;

    public LoadRaces(String[] options) {
        isRight = List.of(options).contains("barrier");
    }

    @Override
    public void run(DsmNode node) {
        DsmBarrier filled = node.barrier("filled");
        DsmBarrier summed = node.barrier("summed");
        DsmLock lock = node.lock("forty");
        DsmReadWriteLock shared = node.readWriteLock("fifty");
        for (int i = 0; i < PART; i++) {
            parts.set(node.id() * PART + i, 1);
        }
        if (isRight) {
            filled.await();
        }
        long sum = 0;
        for (int i = 0; i < node.nodes() * PART; i++) {
            sum += parts.get(i);
        }
        summed.await();
        sums.set(node.id(), sum);
        for (int i = 0; i < 50; i++) {
            lock.lock();
            others.set(40, others.get(40) + 1);
            lock.unlock();
            if (i % 10 == node.id() && node.thread() == 0) {
                shared.writeLock().lock();
                others.set(50, others.get(50) + 1);
                shared.writeLock().unlock();
            } else {
                shared.readLock().lock();
                sum += others.get(50);
                shared.readLock().unlock();
            }
        }
        summed.await();
        if (node.id() == 0) {
            others.segment(300, 400, Mode.READ).getAtIndex(ValueLayout.JAVA_LONG, 0);
        } else if (node.id() == 1) {
            others.set(350, 1);
        }
        summed.await();
    }

    @Override
    public Verdict verify(DsmNode root) {
        return others.get(40) == 50L * root.nodes() * root.threads()
                ? Verdict.right("sums are " + sums.get(0))
                : Verdict.wrong("counted " + others.get(40));
    }
}
