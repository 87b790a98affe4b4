package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** All but the last node wait, half a second, at a barrier that is for all. */
public final class WrongParties implements DsmProgram {
    @Override
    public void run(DsmNode node) throws TimeoutException {
        if (node.id() < node.nodes() - 1) {
            node.barrier("everybody").await(500, TimeUnit.MILLISECONDS);
        } else {
            node.barrier("nobody else").await();
        }
    }
}
