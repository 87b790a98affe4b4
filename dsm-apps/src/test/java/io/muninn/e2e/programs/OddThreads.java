package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import io.muninn.api.LongArray;
import io.muninn.api.Protocol;
import io.muninn.api.Shared;
import io.muninn.api.Verdict;

/**
 * Threads that are not the run's: a virtual one stores, and may not synchronize; a shutdown hook
 * loads after the end. The last line that the program prints has no end.
 */
public final class OddThreads implements DsmProgram {
    @Shared(Protocol.WRITE_SHARED)
    final LongArray words = LongArray.of(64);

    @Shared final LongArray late = LongArray.of(1 << 12);

    @Override
    public void run(DsmNode node) throws InterruptedException {
        Thread virtual =
                Thread.ofVirtual()
                        .start(() -> {
                            words.set(node.id(), 70 + node.id());
                            words.set(32 + node.id(), refusals(node));
                        });
        virtual.join();
        node.barrier("stored").await();
        for (int i = 0; i < node.nodes(); i++) {
            if (words.get(i) != 70 + i || words.get(32 + i) != 4) {
                throw new IllegalStateException(
                        "node " + i + ": " + words.get(i) + ", refusals " + words.get(32 + i));
            }
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> loadAfterTheEnd(node.id())));
    }

    private static int refusals(DsmNode node) {
        Runnable[] calls = {
            () -> node.lock("lock"),
            () -> node.barrier("barrier"),
            node::messages,
            () -> node.allocate("more", LongArray.of(1), Protocol.WRITE_SHARED)
        };
        int refusals = 0;
        for (Runnable call : calls) {
            try {
                call.run();
            } catch (IllegalStateException refused) {
                refusals++;
            }
        }
        return refusals;
    }

    private void loadAfterTheEnd(int node) {
        try {
            System.out.println("late on node " + node + ": " + late.get(0));
        } catch (InternalError notHere) {
            System.out.println("late on node " + node + ": not here");
        }
    }

    @Override
    public Verdict verify(DsmNode root) {
        System.out.print("99 %");
        return Verdict.right("odd threads");
    }
}
