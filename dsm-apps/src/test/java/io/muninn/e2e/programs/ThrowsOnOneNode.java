package io.muninn.e2e.programs;

import io.muninn.api.DsmNode;
import io.muninn.api.DsmProgram;

/** Throws on the node it is told; the others wait at a barrier and say what came of it. */
public final class ThrowsOnOneNode implements DsmProgram {
    private final int thrower;

    public ThrowsOnOneNode(String[] options) {
        thrower = Integer.parseInt(options[0]);
    }

    @Override
    public void run(DsmNode node) {
        if (node.id() == thrower) {
            throw new IllegalStateException("thrown on purpose");
        }
        try {
            node.barrier("all").await();
        } finally {
            System.out.println("finally on node " + node.id());
        }
    }
}
