package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * All but the last node wait, half a second, at a barrier that is for all. The last one is {@code
 * busy} with something else for longer, or {@code waits} at another barrier.
 */
public final class WrongParties implements DsmProgram {
    private final boolean busy;

    public WrongParties(String[] options) {
        busy = options[0].equals("busy");
    }

    @Override
    public void run(DsmNode node) throws TimeoutException, InterruptedException {
        if (node.id() < node.nodes() - 1) {
            node.barrier("everybody").await(500, TimeUnit.MILLISECONDS);
        } else if (busy) {
            new CountDownLatch(1).await(5, TimeUnit.SECONDS);
        } else {
            node.barrier("nobody else").await();
        }
    }
}
