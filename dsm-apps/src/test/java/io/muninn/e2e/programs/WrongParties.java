package io.muninn.e2e.programs;

import io.muninn.api.DsmBarrier;
import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * All but the last node wait at a barrier that is for all: half a second, while the last one is
 * {@code busy} with something else for longer; or without limit, when it {@code waits} at another
 * barrier.
 */
public final class WrongParties implements DsmProgram {
    private final boolean busy;

    public WrongParties(String[] options) {
        busy = options[0].equals("busy");
    }

    @Override
    public void run(DsmNode node) throws TimeoutException, InterruptedException {
        if (node.id() < node.nodes() - 1) {
            DsmBarrier everybody = node.barrier("everybody");
            if (busy) {
                everybody.await(500, TimeUnit.MILLISECONDS);
            } else {
                everybody.await();
            }
        } else if (busy) {
            new CountDownLatch(1).await(5, TimeUnit.SECONDS);
        } else {
            node.barrier("nobody else").await();
        }
    }
}
