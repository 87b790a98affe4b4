package io.muninn.e2e.programs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.muninn.api.DsmLock;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Mode;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Node 1 polls a word without any synchronization; node 0 stores the time to it and frees a lock
 * that nobody else wants. The store arrives soon after the release, not with the next message.
 */
public final class PolledFlag implements DsmProgram {
    private static final int ROUNDS = 40;
    private static final int TAG = 1;

    @Shared(Protocol.WRITE_SHARED)
    final LongArray flag = LongArray.of(1);

    @Override
    public void run(DsmNode node) {
        if (node.thread() != 0) {
            return;
        }
        if (node.id() == 0) {
            DsmLock lock = node.lock("mine");
            for (int i = 0; i < ROUNDS; i++) {
                node.messages().receive(1, TAG); // it polls
                lock.lock();
                flag.set(0, System.nanoTime());
                lock.unlock();
            }
        } else if (node.id() == 1) {
            poll(node);
        }
    }

    /** The clock that Java reads is the machine's, the same for all processes. */
    private void poll(DsmNode node) {
        MemorySegment word = flag.segment(0, 1, Mode.READ);
        long[] micros = new long[ROUNDS];
        long before = (long) JAVA_LONG.varHandle().getOpaque(word, 0L);
        for (int i = 0; i < ROUNDS; i++) {
            node.messages().send(0, TAG, MemorySegment.ofArray(new byte[0]));
            long now = before;
            while (now == before) {
                now = (long) JAVA_LONG.varHandle().getOpaque(word, 0L);
                Thread.yield();
            }
            micros[i] = (System.nanoTime() - now) / 1000;
            before = now;
        }
        Arrays.sort(micros);
        System.out.println(
                "seen after "
                        + micros[0]
                        + " to "
                        + micros[ROUNDS - 1]
                        + " us, median "
                        + micros[ROUNDS / 2]);
        if (micros[0] > 100_000) {
            throw new IllegalStateException("every store took more than 100 ms to be seen");
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        return Verdict.right(ROUNDS + " stores were seen");
    }
}
